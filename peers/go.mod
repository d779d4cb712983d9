module github.com/gopayoff/payoff/peers

go 1.26.0

require (
	github.com/Workiva/go-datastructures v1.1.7
	github.com/anishathalye/porcupine v1.3.1
	github.com/bytedance/gopkg v0.1.4
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/valyala/bytebufferpool v1.0.0
)

require golang.org/x/sys v0.30.0 // indirect
