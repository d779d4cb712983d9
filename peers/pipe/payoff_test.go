package pipe

var (
	stagesVariants  = stagesRivals
	chanVariants    = chanRivals
	skewVariants    = skewRivals
	articleVariants = articleRivals
	lives           = liveRivals
)
