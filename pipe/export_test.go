package pipe

// Shared counts the batches that others than the caller have worked on.
var Shared = &sharedBatches
