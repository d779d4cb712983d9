package pipe

var (
	stagesVariants  = stagesRivals
	chanVariants    = chanRivals
	articleVariants = articleRivals
	lives           = liveRivals
	waiters         = waitRivals()
)
