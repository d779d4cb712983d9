module github.com/gopayoff/payoff/peers

go 1.26.0

require (
	github.com/ThreeDotsLabs/watermill v1.5.1
	github.com/ThreeDotsLabs/watermill-nats/v2 v2.1.3
	github.com/Workiva/go-datastructures v1.1.7
	github.com/alitto/pond/v2 v2.7.1
	github.com/anishathalye/porcupine v1.3.1
	github.com/benbjohnson/immutable v0.4.3
	github.com/bytedance/gopkg v0.1.4
	github.com/destel/rill v0.7.0
	github.com/exascience/pargo v1.1.0
	github.com/gammazero/workerpool v1.3.0
	github.com/google/btree v1.1.3
	github.com/gopayoff/payoff v0.1.0
	github.com/gopayoff/payoff/gallery v0.1.0
	github.com/gopayoff/payoff/pipe/jetstream v0.1.0
	github.com/jfcg/sorty/v2 v2.1.0
	github.com/nats-io/nats-server/v2 v2.15.2
	github.com/nats-io/nats.go v1.55.0
	github.com/orcaman/concurrent-map/v2 v2.0.1
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/puzpuzpuz/xsync/v4 v4.5.0
	github.com/reugn/go-streams v0.13.0
	github.com/samber/lo v1.53.0
	github.com/sourcegraph/conc v0.3.0
	github.com/twotwotwo/sorts v0.0.0-20160814051341-bf5c1f2b8553
	github.com/valyala/bytebufferpool v1.0.0
	golang.org/x/sync v0.24.0
)

require (
	github.com/antithesishq/antithesis-sdk-go v0.8.0-default-no-op // indirect
	github.com/gammazero/deque v1.2.2 // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jfcg/sixb v1.3.8 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/lithammer/shortuuid/v3 v3.0.7 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/jwt/v2 v2.8.2 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/exp v0.0.0-20220518171630-0b5c67f07fdf // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)
