//go:build go1.27 && goexperiment.jsonv2

package jsonreflect

// The table of case_test.go has what every toolchain can measure.
func init() {
	variants = append(variants, variant{"jsonv2", MarshalV2, UnmarshalV2})
}
