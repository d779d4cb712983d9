module github.com/gopayoff/payoff/peers

go 1.26.0

require (
	github.com/Workiva/go-datastructures v1.1.7 // indirect
	github.com/anishathalye/porcupine v1.3.1 // indirect
	github.com/bytedance/gopkg v0.1.4 // indirect
	github.com/puzpuzpuz/xsync/v4 v4.5.0 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)
