package flow

// library is the one table of the standard library. TestLibrary holds its rows
// against the source. What is not in it may do anything.
const library = `
cmp
	quick: Compare Less
	quick, returns 0: Or

errors
	reads: New
	holds 0: Join

math
	instant: Abs Sqrt Float64bits Float64frombits Float32bits Float32frombits Copysign IsNaN
	quick: Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Ceil Cos Cosh Dim Erf Erfc Erfcinv Erfinv Exp Exp2 Expm1 FMA
	quick: Floor Frexp Gamma Hypot Ilogb Inf IsInf J0 J1 Jn Ldexp
	quick: Lgamma Log Log10 Log1p Log2 Logb Max Min Mod Modf NaN Nextafter Nextafter32 Pow Pow10 Remainder Round RoundToEven
	quick: Signbit Sin Sincos Sinh Tan Tanh Trunc Y0 Y1 Yn

math/bits
	instant: Add Add32 Add64 LeadingZeros LeadingZeros16 LeadingZeros32 LeadingZeros64 LeadingZeros8 Len Len16 Len32 Len64 Len8
	instant: Mul Mul32 Mul64 OnesCount OnesCount16 OnesCount32 OnesCount64 OnesCount8 Reverse Reverse16 Reverse32 Reverse64 Reverse8
	instant: ReverseBytes ReverseBytes16 ReverseBytes32 ReverseBytes64 RotateLeft RotateLeft16 RotateLeft32 RotateLeft64 RotateLeft8
	instant: Sub Sub32 Sub64 TrailingZeros TrailingZeros16 TrailingZeros32 TrailingZeros64 TrailingZeros8
	quick, panics: Div Div32 Div64 Rem Rem32 Rem64

unicode
	quick: In Is IsControl IsDigit IsGraphic IsLetter IsLower IsMark IsNumber IsOneOf IsPrint IsPunct IsSpace IsSymbol IsTitle IsUpper
	quick: SimpleFold To ToLower ToTitle ToUpper

unicode/utf8
	quick: DecodeLastRune DecodeLastRuneInString DecodeRune DecodeRuneInString FullRune FullRuneInString RuneCount RuneCountInString
	quick: RuneLen RuneStart Valid ValidRune ValidString
	quick, sets 0, panics: EncodeRune
	sets 0, returns 0: AppendRune

unicode/utf16
	quick: DecodeRune EncodeRune IsSurrogate RuneLen
	reads: Decode Encode
	sets 0, returns 0: AppendRune

strings
	quick: Compare Contains ContainsAny ContainsRune Count Cut CutPrefix CutSuffix EqualFold HasPrefix HasSuffix Index IndexAny IndexByte
	quick: IndexRune LastIndex LastIndexAny LastIndexByte Trim TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix
	reads: Clone Fields Replace ReplaceAll Split SplitAfter SplitAfterN SplitN Title ToLower ToTitle ToUpper ToValidUTF8
	reads, panics: Repeat
	reads: Join ToLowerSpecial ToTitleSpecial ToUpperSpecial NewReader
	calls 1: ContainsFunc FieldsFunc IndexFunc LastIndexFunc TrimFunc TrimLeftFunc TrimRightFunc
	calls 0: Map
	yields: FieldsSeq Lines SplitAfterSeq SplitSeq
(*strings.Builder)
	writes 0, panics: Grow
	writes 0: Reset Write WriteByte WriteRune WriteString
	quick: Cap Len String
(*strings.Reader)
	writes 0: ReadByte ReadRune Seek UnreadByte UnreadRune
	writes 0, sets 1: Read
	quick: Len Size
(*strings.Replacer)
	sync 0: Replace

bytes
	quick: Compare Contains ContainsAny ContainsRune Count Equal EqualFold HasPrefix HasSuffix Index IndexAny IndexByte
	quick: IndexRune LastIndex LastIndexAny LastIndexByte
	quick, returns 0: Cut CutPrefix CutSuffix Trim TrimLeft TrimPrefix TrimRight TrimSpace TrimSuffix
	reads: Clone Replace ReplaceAll Runes Title ToLower ToTitle ToUpper ToValidUTF8 ToLowerSpecial ToTitleSpecial ToUpperSpecial NewBufferString
	reads, panics: Join Repeat
	holds 0: Fields Split SplitAfter SplitAfterN SplitN NewBuffer NewReader
	calls 1, quick: ContainsFunc IndexFunc LastIndexFunc
	calls 1, returns 0: TrimFunc TrimLeftFunc TrimRightFunc
	calls 1, holds 0: FieldsFunc
	calls 0: Map
	yields: FieldsSeq Lines SplitAfterSeq SplitSeq
(*bytes.Buffer)
	writes 0, panics: Grow Truncate
	writes 0: Write WriteByte WriteRune WriteString ReadByte ReadRune Reset UnreadByte UnreadRune ReadString
	writes 0, sets 1: Read
	writes 0, returns 0: AvailableBuffer Next
	writes 0, holds 0: ReadBytes
	quick: Available Cap Len String
	quick, returns 0: Bytes
(*bytes.Reader)
	writes 0: ReadByte ReadRune Seek UnreadByte UnreadRune
	writes 0, sets 1: Read
	quick: Len Size

strconv
	quick: CanBackquote IsGraphic IsPrint
	reads: Atoi FormatBool FormatUint Itoa ParseBool ParseComplex ParseFloat ParseInt ParseUint Quote QuoteRune QuoteRuneToASCII
	reads, panics: FormatComplex FormatFloat FormatInt
	reads: QuoteRuneToGraphic QuoteToASCII QuoteToGraphic QuotedPrefix Unquote UnquoteChar
	sets 0, returns 0: AppendBool AppendQuote AppendQuoteRune AppendQuoteRuneToASCII AppendQuoteRuneToGraphic AppendQuoteToASCII AppendQuoteToGraphic
	sets 0, returns 0, panics: AppendFloat AppendInt AppendUint

path
	reads: Base Clean Dir Ext IsAbs Join Match Split

path/filepath
	reads: Base Clean Dir Ext FromSlash HasPrefix IsAbs IsLocal Join Localize Match Split SplitList ToSlash VolumeName
	asks: Abs EvalSymlinks Glob Rel
	asks, calls 1: Walk WalkDir

slices
	quick: BinarySearch Compare Contains Equal Index IsSorted
	quick, returns 0, panics: Max Min
	returns 0, quick: Clip
	returns 0, holds 0, panics: Grow
	holds 0: Clone Concat
	holds 0, panics: Repeat
	calls 2, quick: BinarySearchFunc EqualFunc CompareFunc
	calls 1, quick: ContainsFunc IndexFunc IsSortedFunc
	calls 1, quick, returns 0, panics: MaxFunc MinFunc
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
	quick: Float64sAreSorted IntsAreSorted SearchFloat64s SearchInts SearchStrings StringsAreSorted
	calls 1, quick: Find Search SliceIsSorted
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
	sync 0, quick: Checksum ChecksumIEEE Update
crypto/sha256
	quick: Sum224 Sum256
crypto/sha512
	quick: Sum384 Sum512 Sum512_224 Sum512_256
crypto/sha1
	quick: Sum
crypto/md5
	quick: Sum

encoding/json
	encodes 0: Marshal MarshalIndent
	reads: Valid
encoding/hex
	reads: DecodeString EncodeToString
	quick: DecodedLen EncodedLen
	sets 0, panics: Decode Encode
encoding/binary
	quick: Uvarint Varint
	quick, sets 0, panics: PutUvarint PutVarint
	sets 0, returns 0: AppendUvarint AppendVarint
(encoding/binary.littleEndian)
	quick, panics: Uint16 Uint32 Uint64
	quick, sets 1, panics: PutUint16 PutUint32 PutUint64
	sets 1, returns 1: AppendUint16 AppendUint32 AppendUint64
(encoding/binary.bigEndian)
	quick, panics: Uint16 Uint32 Uint64
	quick, sets 1, panics: PutUint16 PutUint32 PutUint64
	sets 1, returns 1: AppendUint16 AppendUint32 AppendUint64
html
	reads: EscapeString UnescapeString
net/url
	reads: PathEscape PathUnescape QueryEscape QueryUnescape
(*encoding/base64.Encoding)
	reads: DecodeString EncodeToString
	quick: DecodedLen EncodedLen
	sets 1, panics: Decode Encode

time
	asks, quick: Now Since Until
	quick: Unix UnixMicro UnixMilli
	reads, panics: Date
	reads: Parse ParseDuration ParseInLocation FixedZone
	waits: Sleep
	spawns: After NewTimer NewTicker Tick
	starts 1: AfterFunc
(time.Time)
	quick: Add AddDate After Before Clock Compare Date Day Equal Hour ISOWeek IsZero Minute Month Nanosecond Round Second Sub
	quick: Truncate Unix UnixMicro UnixMilli UnixNano Weekday Year YearDay
	returns 0: In Local UTC Location Zone
	reads: Format String GoString MarshalJSON MarshalText
(time.Duration)
	quick: Abs Hours Microseconds Milliseconds Minutes Nanoseconds Round Seconds Truncate
	reads: String
(time.Month)
	reads: String
(time.Weekday)
	reads: String

math/rand
	asks, quick: ExpFloat64 Float32 Float64 Int Int31 Int31n Int63 Int63n Intn NormFloat64 Uint32 Uint64
	asks: Perm
	asks, calls 1: Shuffle
math/rand/v2
	asks, quick: ExpFloat64 Float32 Float64 Int Int32 Int32N Int64 Int64N IntN N NormFloat64 Uint Uint32 Uint32N Uint64 Uint64N UintN
	asks: Perm
	asks, calls 1: Shuffle

sync/atomic
	quick, looks 0: LoadInt32 LoadInt64 LoadPointer LoadUint32 LoadUint64 LoadUintptr
	quick, sync 0: AddInt32 AddInt64 AddUint32 AddUint64 AddUintptr AndInt32 AndInt64 AndUint32 AndUint64 AndUintptr
	quick, sync 0: CompareAndSwapInt32 CompareAndSwapInt64 CompareAndSwapUint32 CompareAndSwapUint64 CompareAndSwapUintptr
	quick, sync 0: OrInt32 OrInt64 OrUint32 OrUint64 OrUintptr StoreInt32 StoreInt64 StoreUint32 StoreUint64 StoreUintptr
	quick, sync 0: SwapInt32 SwapInt64 SwapUint32 SwapUint64 SwapUintptr
(*sync/atomic.Int32)
	quick, looks 0: Load
	quick, sync 0: Add And CompareAndSwap Or Store Swap
(*sync/atomic.Int64)
	quick, looks 0: Load
	quick, sync 0: Add And CompareAndSwap Or Store Swap
(*sync/atomic.Uint32)
	quick, looks 0: Load
	quick, sync 0: Add And CompareAndSwap Or Store Swap
(*sync/atomic.Uint64)
	quick, looks 0: Load
	quick, sync 0: Add And CompareAndSwap Or Store Swap
(*sync/atomic.Uintptr)
	quick, looks 0: Load
	quick, sync 0: Add And CompareAndSwap Or Store Swap
(*sync/atomic.Bool)
	quick, looks 0: Load
	quick, sync 0: CompareAndSwap Store Swap
(*sync/atomic.Pointer[T])
	quick, looks 0, returns 0: Load
	quick, sync 0, returns 0, keeps 1 in 0: CompareAndSwap Store Swap
(*sync/atomic.Value)
	quick, looks 0, returns 0: Load
	sync 0, returns 0, keeps 1 in 0, panics: CompareAndSwap Store Swap

(*sync.Mutex)
	quick, locks 0: Lock TryLock Unlock
(*sync.RWMutex)
	quick, locks 0: Lock RLock RUnlock TryLock TryRLock Unlock
(*sync.WaitGroup)
	sync 0, panics: Add Done
	sync 0, waits: Wait
	sync 0, starts 1: Go
(*sync.Once)
	sync 0, waits, calls 1: Do

os
	exits: Exit
	asks: Getenv LookupEnv ReadFile ReadDir Stat Lstat Readlink Environ Getpid Hostname
	tells: WriteFile Remove RemoveAll Rename Mkdir MkdirAll
(*os.File)
	tells, sync 0: Close Sync Write WriteString
	asks, sync 0, sets 1: Read
	reads: Name
runtime
	exits: Goexit
	asks, quick: NumCPU NumGoroutine
	quick: KeepAlive
	waits: Gosched
log
	exits, tells, formats 0: Fatal Fatalln
	exits, tells, formats 1: Fatalf
	tells, formats 0: Print Println
	tells, formats 1: Printf
`
