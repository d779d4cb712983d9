package flow

// library is the one table of the standard library. TestLibrary holds its rows
// against the source. What is not in it may do anything.
const library = `
cmp
	reads: Compare Less
	returns 0: Or
errors
	reads: New
	holds 0: Join
math
	reads: Abs Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Ceil Copysign Cos Cosh Dim Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 FMA Float32bits
	reads: Float32frombits Float64bits Float64frombits Floor Frexp Gamma Hypot Ilogb Inf IsInf IsNaN J0 J1 Jn Ldexp Lgamma Log Log10 Log1p Log2 Logb Max
	reads: Min Mod Modf NaN Nextafter Nextafter32 Pow Pow10 Remainder Round RoundToEven Signbit Sin Sincos Sinh Sqrt Tan Tanh Trunc Y0 Y1 Yn
math/bits
	reads: Add Add32 Add64 LeadingZeros LeadingZeros16 LeadingZeros32 LeadingZeros64 LeadingZeros8 Len Len16 Len32 Len64 Len8 Mul Mul32 Mul64 OnesCount
	reads: OnesCount16 OnesCount32 OnesCount64 OnesCount8 Reverse Reverse16 Reverse32 Reverse64 Reverse8 ReverseBytes ReverseBytes16 ReverseBytes32
	reads: ReverseBytes64 RotateLeft RotateLeft16 RotateLeft32 RotateLeft64 RotateLeft8 Sub Sub32 Sub64 TrailingZeros TrailingZeros16 TrailingZeros32
	reads: TrailingZeros64 TrailingZeros8
	panics: Div Div32 Div64 Rem Rem32 Rem64
unicode
	reads: In Is IsControl IsDigit IsGraphic IsLetter IsLower IsMark IsNumber IsOneOf IsPrint IsPunct IsSpace IsSymbol IsTitle IsUpper SimpleFold To
	reads: ToLower ToTitle ToUpper
unicode/utf8
	reads: DecodeLastRune DecodeLastRuneInString DecodeRune DecodeRuneInString FullRune FullRuneInString RuneCount RuneCountInString RuneLen RuneStart
	reads: Valid ValidRune ValidString
	sets 0, panics: EncodeRune
	sets 0, returns 0: AppendRune
strings
	reads: Clone Compare Contains ContainsAny ContainsRune Count Cut CutPrefix CutSuffix EqualFold Fields HasPrefix HasSuffix Index IndexAny IndexByte
	reads: IndexRune Join LastIndex LastIndexAny LastIndexByte NewReader Replace ReplaceAll Split SplitAfter SplitAfterN SplitN Title ToLower
	reads: ToLowerSpecial ToTitle ToTitleSpecial ToUpper ToUpperSpecial ToValidUTF8 Trim TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix
	panics: Repeat
	calls 1: ContainsFunc FieldsFunc IndexFunc LastIndexFunc TrimFunc TrimLeftFunc TrimRightFunc
	calls 0: Map
	yields: FieldsSeq Lines SplitAfterSeq SplitSeq
(*strings.Builder)
	writes 0, panics: Grow
	writes 0: Reset Write WriteByte WriteRune WriteString
	reads: Cap Len String
(*strings.Reader) (*bytes.Reader)
	writes 0: ReadByte ReadRune Seek UnreadByte UnreadRune
	writes 0, sets 1: Read
	reads: Len Size
(*strings.Replacer)
	sync 0: Replace
bytes
	reads: Clone Compare Contains ContainsAny ContainsRune Count Equal EqualFold HasPrefix HasSuffix Index IndexAny IndexByte IndexRune LastIndex
	reads: LastIndexAny LastIndexByte NewBufferString Replace ReplaceAll Runes Title ToLower ToLowerSpecial ToTitle ToTitleSpecial ToUpper ToUpperSpecial
	reads: ToValidUTF8
	returns 0: Cut CutPrefix CutSuffix Trim TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix
	panics: Join Repeat
	holds 0: Fields NewBuffer NewReader Split SplitAfter SplitAfterN SplitN
	calls 1: ContainsFunc IndexFunc LastIndexFunc
	calls 1, returns 0: TrimFunc TrimLeftFunc TrimRightFunc
	calls 1, holds 0: FieldsFunc
	calls 0: Map
	yields: FieldsSeq Lines SplitAfterSeq SplitSeq
(*bytes.Buffer)
	writes 0, panics: Grow Truncate
	writes 0: ReadByte ReadRune ReadString Reset UnreadByte UnreadRune Write WriteByte WriteRune WriteString
	writes 0, sets 1: Read
	writes 0, returns 0: AvailableBuffer Next
	writes 0, holds 0: ReadBytes
	reads: Available Cap Len String
	returns 0: Bytes
strconv
	reads: Atoi CanBackquote FormatBool FormatUint IsGraphic IsPrint Itoa ParseBool ParseComplex ParseFloat ParseInt ParseUint Quote QuoteRune
	reads: QuoteRuneToASCII QuoteRuneToGraphic QuoteToASCII QuoteToGraphic QuotedPrefix Unquote UnquoteChar
	panics: FormatComplex FormatFloat FormatInt
	sets 0, returns 0: AppendBool AppendQuote AppendQuoteRune AppendQuoteRuneToASCII AppendQuoteRuneToGraphic AppendQuoteToASCII AppendQuoteToGraphic
	sets 0, returns 0, panics: AppendFloat AppendInt AppendUint
path
	reads: Base Clean Dir Ext IsAbs Join Match Split
path/filepath
	reads: Base Clean Dir Ext FromSlash HasPrefix IsAbs IsLocal Join Localize Match Split SplitList ToSlash VolumeName
	asks: Abs EvalSymlinks Glob Rel
	asks, calls 1: Walk WalkDir
slices
	reads: BinarySearch Compare Contains Equal Index IsSorted
	returns 0, panics: Max Min
	returns 0: Clip
	returns 0, holds 0, panics: Grow
	holds 0: Clone Concat
	holds 0, panics: Repeat
	calls 2: BinarySearchFunc CompareFunc EqualFunc
	calls 1: ContainsFunc IndexFunc IsSortedFunc
	calls 1, returns 0, panics: MaxFunc MinFunc
	calls 0, gathers: Collect Sorted
	calls 0, calls 1, gathers: SortedFunc SortedStableFunc
	calls 1, sets 0, returns 0, holds 0, gathers, keeps any in 0: AppendSeq
	sets 0: Reverse Sort
	sets 0, calls 1: SortFunc SortStableFunc
	sets 0, returns 0: Compact
	sets 0, returns 0, calls 1: CompactFunc DeleteFunc
	sets 0, returns 0, holds 0, panics: Delete
	sets 0, returns 0, keeps 2 in 0, holds 0, holds 2, panics: Insert
	sets 0, returns 0, keeps 3 in 0, holds 0, holds 3, panics: Replace
	yields: All Backward Values
maps
	reads: Equal
	holds 0: Clone
	sets 0, keeps 1 in 0: Copy
	calls 1, sets 0: DeleteFunc
	calls 2: EqualFunc
	calls 0, gathers: Collect
	calls 1, sets 0, holds 0, keeps any in 0: Insert
	yields: All Keys Values
sort
	reads: Float64sAreSorted IntsAreSorted SearchFloat64s SearchInts SearchStrings StringsAreSorted
	calls 1: Find Search SliceIsSorted
	sets 0: Float64s Ints Strings
	calls 1, sets 0, panics: Slice SliceStable
	calls Len|Less|Swap of 0: Sort Stable
	calls Len|Less of 0: IsSorted
	holds 0: Reverse
fmt
	formats 0: Sprint Sprintln
	formats 1: Sprintf
	formats 1, holds 1: Errorf
	formats 1, tells: Printf
	formats 0, tells: Print Println
	formats 1, sets 0, returns 0: Append Appendln
	formats 2, sets 0, returns 0: Appendf
	formats 1, calls Write of 0: Fprint Fprintln
	formats 2, calls Write of 0: Fprintf
hash/crc32
	sync 0: Checksum ChecksumIEEE Update
crypto/sha256
	reads: Sum224 Sum256
crypto/sha512
	reads: Sum384 Sum512 Sum512_224 Sum512_256
crypto/sha1 crypto/md5
	reads: Sum
encoding/json
	encodes 0: Marshal MarshalIndent
	reads: Valid
encoding/hex
	reads: DecodeString DecodedLen EncodeToString EncodedLen
	sets 0, panics: Decode Encode
encoding/binary
	reads: Uvarint Varint
	sets 0, panics: PutUvarint PutVarint
	sets 0, returns 0: AppendUvarint AppendVarint
(encoding/binary.littleEndian) (encoding/binary.bigEndian)
	panics: Uint16 Uint32 Uint64
	sets 1, panics: PutUint16 PutUint32 PutUint64
	sets 1, returns 1: AppendUint16 AppendUint32 AppendUint64
net/url
	reads: PathEscape PathUnescape QueryEscape QueryUnescape
(*encoding/base64.Encoding)
	reads: DecodeString DecodedLen EncodeToString EncodedLen
	sets 1, panics: Decode Encode
time
	asks: Now Since Until
	reads: FixedZone Parse ParseDuration ParseInLocation Unix UnixMicro UnixMilli
	panics: Date
	waits: Sleep
	spawns: After NewTicker NewTimer Tick
	starts 1: AfterFunc
(time.Time)
	reads: Add AddDate After Before Clock Compare Date Day Equal Format GoString Hour ISOWeek IsZero MarshalJSON MarshalText Minute Month Nanosecond
	reads: Round Second String Sub Truncate Unix UnixMicro UnixMilli UnixNano Weekday Year YearDay
	returns 0: In Local Location UTC Zone
(time.Duration)
	reads: Abs Hours Microseconds Milliseconds Minutes Nanoseconds Round Seconds String Truncate
(time.Month) (time.Weekday)
	reads: String
math/rand
	asks: ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Perm Uint32 Uint64
	asks, calls 1: Shuffle
math/rand/v2
	asks: ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN N NormFloat64 Perm Uint Uint32 Uint32N Uint64 Uint64N UintN
	asks, calls 1: Shuffle
sync/atomic
	looks 0: LoadInt32 LoadInt64 LoadPointer LoadUint32 LoadUint64 LoadUintptr
	sync 0: AddInt32 AddInt64 AddUint32 AddUint64 AddUintptr AndInt32 AndInt64 AndUint32 AndUint64 AndUintptr CompareAndSwapInt32 CompareAndSwapInt64
	sync 0: CompareAndSwapUint32 CompareAndSwapUint64 CompareAndSwapUintptr OrInt32 OrInt64 OrUint32 OrUint64 OrUintptr StoreInt32 StoreInt64 StoreUint32
	sync 0: StoreUint64 StoreUintptr SwapInt32 SwapInt64 SwapUint32 SwapUint64 SwapUintptr
(*sync/atomic.Int32) (*sync/atomic.Int64) (*sync/atomic.Uint32) (*sync/atomic.Uint64) (*sync/atomic.Uintptr)
	looks 0: Load
	sync 0: Add And CompareAndSwap Or Store Swap
(*sync/atomic.Bool)
	looks 0: Load
	sync 0: CompareAndSwap Store Swap
(*sync/atomic.Pointer[T])
	looks 0, returns 0: Load
	sync 0, returns 0, keeps 1 in 0: CompareAndSwap Store Swap
(*sync/atomic.Value)
	looks 0, returns 0: Load
	sync 0, returns 0, keeps 1 in 0, panics: CompareAndSwap Store Swap
(*sync.Mutex)
	locks 0: Lock TryLock Unlock
(*sync.RWMutex)
	locks 0: Lock RLock RUnlock TryLock TryRLock Unlock
(*sync.WaitGroup)
	sync 0, panics: Add Done
	sync 0, waits: Wait
	sync 0, starts 1: Go
(*sync.Once)
	sync 0, waits, calls 1: Do
os
	exits: Exit
	asks: Environ Getenv Getpid Hostname LookupEnv Lstat ReadDir ReadFile Readlink Stat
	tells: Mkdir MkdirAll Remove RemoveAll Rename WriteFile
(*os.File)
	tells, sync 0: Close Sync Write WriteString
	asks, sync 0, sets 1: Read
	reads: Name
runtime
	exits: Goexit
	asks: NumCPU NumGoroutine
	reads: KeepAlive
	waits: Gosched
log
	exits, tells, formats 0: Fatal Fatalln
	exits, tells, formats 1: Fatalf
	tells, formats 0: Print Println
	tells, formats 1: Printf
`
