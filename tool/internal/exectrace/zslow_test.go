package exectrace
import ("testing";"bytes";"math/rand/v2";"time";"fmt")
func TestSlow(t *testing.T){
 var worst time.Duration
 for _,n:=range []string{"mix.go1.27.3","mix.go1.25.4","imbalance.p2"} { whole:=recorded(t,n)
 for i:=range uint64(3000) { r:=rand.New(rand.NewPCG(i,1)); b:=bytes.Clone(whole); for range 1+r.IntN(3) { b[r.IntN(min(len(b),6000))]^=byte(1+r.IntN(255)) }
  t0:=time.Now(); Read(bytes.NewReader(b),Options{}); if d:=time.Since(t0); d>worst { worst=d; fmt.Println(n,i,d) } } }
}
