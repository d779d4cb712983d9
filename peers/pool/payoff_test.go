package pool

var (
	taskVariants    = taskRivals
	allVariants     = allRivals
	articleVariants = articleRivals
	sizedPools      = sizedRivals()
)
