/** What a backend must take and must not take, as data: mostly what frameworks and databases take for something else. */

const words = (text: string) => text.split(' ')

export const JSON_TYPES = [
  ...['application/json; charset=utf-8', 'application/json;charset=utf8', 'application/json ; charset="utf-8"'],
  ...['Application/JSON;charset="UTF-8";profile="a;b"', 'application/json; version=1', 'application/json;CHARSET=utf8'],
  ...['application/json;', 'application/json; profile="a;charset=x"'],
]
const LIKE_JSON = 'jsonx json5 json-seq jsonp vnd.more+json problem+json ld+json merge-patch+json x-json json/x'
const NOT_JSON = 'csp-report x-ndjson javascript octet-stream x-www-form-urlencoded *'
export const OTHER_TYPES = [
  ...words(`${LIKE_JSON} ${NOT_JSON}`).map((subtype) => `application/${subtype}`),
  ...['text/json', 'text/html', 'text/x-json', 'text/plain; charset=utf-8', 'image/json', 'xapplication/json', '*/*'],
  ...['text/plain; a=application/json', 'text/plain, application/json', 'application/json, text/plain'],
  ...['', 'json', 'application', 'application/', 'multipart/form-data; boundary=x', 'application/json;Charset=utf-16'],
  ...words(
    'iso-8859-1 us-ascii utf-16 "utf-16le" utf-7 utf-32 windows-1252 utf utf-88 x-utf-8 latin1 "" \'utf-8\'',
  ).map((charset) => `application/json; charset=${charset}`),
]
const CODINGS = words('gzip GZIP br deflate zstd compress unknown utf-8')
export const OTHER_CODINGS = [...CODINGS, 'gzip, identity', 'identity, gzip']

export const FORM = 'email=contract%40example.com'
/** As values these are no JSON either. */
const INVALID_VALUES = [
  ...words("NaN Infinity -Infinity 01 -01 +1 .5 1. 1e - 0x1 0b1 1_000 1n True None nil undefined [1,] [,] 'a' `a` /a/"),
  ...['', 'new Date()', '"a" "b"', '"a" "msg":"b"', '"a",,"msg":"b"', '[1,,2]', '"a\tb"', '"a\nb"', '"\\\n"'],
  ...words(String.raw`"\'" "\x41" "\u12" "\u{41}" "\U00000041" "\v" "\a"`),
]
export const INVALID_JSON = [
  ...['', ' ', '{', '{}}', 'NaN', 'undefined', '""x', FORM, '<email/>', 'contract@example.com', '- email: a'],
  ...INVALID_VALUES.map((value) => `{"email":${value}}`),
  '{email:"a@example.com"}',
]
/** Bodies that are almost this JSON. */
export const almostJson = (json: string) => [
  ...[json + json, `${json}x`, `${json}]`, `${json};`, `${json}\0`, `${json}\v`, `\u00a0${json}`, `)]}'\n${json}`],
  ...[`// ${json}`, `/* */${json}`, `${json}// more`, `# more\n${json}`, json.replace('}', ',}')],
  ...[json.replaceAll('"', "'"), json.replaceAll(/"(\w+)":/g, "'$1':"), json.replace('@', '\n@')],
]
export const DEEP = ['['.repeat(20_000) + ']'.repeat(20_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]
export const BOM = '\ufeff'
/** In hexadecimal: overlong, cut, surrogates, beyond Unicode. */
export const INVALID_UTF8 = words('ff c080 c0af eda080 e9 f4908080 e282')

export const NOT_OBJECTS = [null, true, 1, 'text', [], [{}]]
export const NOT_TEXTS = [true, false, 0, 1.5, null, [], {}, ['a text in an array'], { length: 5 }]
export const UNKNOWN = ['', 'email ', ...words('more Email 0 a/b~c name.first %6dore success constructor __proto__')]
/** Far more than a name may have that is repeated; cut anywhere, it ends amid an escape. */
export const LONG_NAME = '~/'.repeat(10_000)
export const MANY_UNKNOWN = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`more${i}`, i]))

export const OTHER_SITES = [
  ...['https://elsewhere.example', 'null'].map((origin) => ({ origin })),
  ...['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
  ...['cross-site', 'same-site'].map((site) => ({ origin: 'https://elsewhere.example', 'sec-fetch-site': site })),
]
export const OTHER_METHODS = ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']
export const otherPaths = (path: string) =>
  [
    ...['/api', '/api/', '/api/no-such-path', '/api/100%25', path.replace('/api/', '/api/v1/')],
    ...['/more', 's', '/', '.json', '.php', ';a=b'].map((end) => path + end),
    ...['_', ''].map((dash) => path.replace('-', dash)),
    path.replace(/[^/]*$/, (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`),
  ].filter((other) => other !== path)

export const EMOJI = '😀'
export const SCRIPTS = words('Ñandú Όνομα Имя שם اسم नाम ชื่อ 名前 이름 ስም 𐌽𐌰𐌼𐍉')
/** Texts that some languages take for something else, or for none. */
const WORDS = '0 null Null NULL false 007 -1 +1 =1+1 @a NaN [] {} "" {{7*7}} %00 None ADA ada McAda "ada" . #a >a'
export const MARKS = [
  ...['e\u0301a\u0308', 'ab\u202Ecd', '👩‍🚒 🇩🇪 👍🏽', '\u200B', '\u{10fffd}\ue000', `O'Ab-"\\</script>`, "'ada'"],
  ...["' OR 1=1; --", '<script>alert(1)</script>', '../../etc/passwd', 'From a', 'javascript:a', ...words(WORDS)],
]
/** Longer in code points than as anybody sees them. */
export const CLUSTERS = ['e\u0301', '👍🏽', '🇩🇪']
/** Each one code point, but more bytes, code units or characters of markup. */
export const SINGLES = [EMOJI, ...words('名 é & " \\')]
const UNITS = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
export const CONTROLS = [...UNITS.filter((unit) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(unit)), '\ud800', '\udfff']
/** What ECMAScript's `trim` removes, and what other languages take for white space. */
export const SPACES = [
  ...UNITS.filter((unit) => unit.trim() === ''),
  ...'\u001c\u001d\u001e\u001f\u0085\u180e\u200b\u2060',
]

/** What a local part may hold beside letters and digits; some backends read more into it, or leave it out. */
export const LOCAL_SIGNS = "!#$%&'*+-/=?^_`{|}~."
const NOT_LOCAL = '"(),:;<>[\\] '
const NOT_DOMAIN = `!#$%&'*+/=?^_{|}~${NOT_LOCAL}`
export const ODD_DOMAINS = words(
  '1.a-b.example.com a--b.example.com xn--bcher-kva.example.com example.c example.1 example.a-b',
)
/** After the start of an address, each of these makes it invalid. */
export const INVALID_ENDS = [
  ...['', ' b@example.com', '@example.com\n', '@example.com\u0000', '@[127.0.0.1]', 'ä@example.com'],
  ...words(
    '\u212a@example.com @\u212a.example.com \u017f@example.com ١@example.com ａ@example.com ＠example.com @example。com',
  ),
  ...words('@ @b @b..com @-b.example.com @b-.example.com @example.-com @example.com- @example.com. @.example.com'),
  ...words(`@${'b'.repeat(64)}.example.com @example.${'b'.repeat(64)} @bücher.example.com @a@example.com`),
  ...[...NOT_LOCAL].map((sign) => `${sign}b@example.com`),
  ...[...NOT_DOMAIN].map((sign) => `@a${sign}b.example.com`),
]

/** What some backends store damaged, or compare loosely: every sign of ASCII, marks, emoji, decomposed letters, markup. */
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')
const FORMATS =
  '\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2069\ufeff'
const ODD = `æ あ ｶ ς İı ° ½ … — (c) 〜～∥−¢£¬€ 𠀀 z\u0300\u0301\u0302\u0303 \u212b\u1100\u1161\ufffd &eacute; &#39; {{x}} $1 \${1} $& \\1`
const LINES = '\r\n\r\n\r\n\t\b\f a \n b\n\n\n\n.\nFrom a\n-- \n> a\n\n--a\nhttps://example.com/'
const LONG = `e\u0301😀'"<i>&lt;&</i>\\u0041 Aa${LINES} ${ASCII} ${ASCII}\u00a0 ß 👩‍🚒 ‘x’ “y” ${ODD} ${FORMATS} ${'[{'.repeat(80)} \u0001\u007f\u0085\u2028z`

/** As many code points as a field may have, with an emoji near the end. */
const filled = (text: string, length: number) => `${text}${'y'.repeat(length - [...text].length - 2)}😀z`

/** An enquiry of the longest texts, one whose texts can be made longer, and a plain one. */
export const RICH = [
  {
    name: {
      first: filled(`O'Neil "<b>&amp;</b>" e\u0301 😀 ß \u200d\\n %s_% +`, 100),
      last: filled('Ünlü–Żółć a b ﬁ ２ \u200b’“”', 100),
    },
    msg: filled(LONG, 5000),
  },
  {
    name: { first: `ada's & <b>&lt;i&eacute;</b> %41%20+`, last: 'lovelace "❤\ufe0f"...' },
    msg: '\u0085hello & <there>,\n\n ada\r%0A...\u001f',
  },
  { name: { first: 'Ada', last: 'King' }, msg: 'Hello, Ada' },
]

/** Changes of a text after which it is another one. */
export const CHANGES: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFKC'),
  (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  (text) => text.replaceAll(/[‘’“”"]/g, "'"),
  (text) => text.replaceAll(/<[^>]*>/g, ''),
  (text) => text.replace(/@.*/, (domain) => domain.toLowerCase()),
  (text) => text.replace(/.$/su, 'w'),
  (text) => text.replace(/^./su, 'w'),
  // The same signs and the same words in another order.
  (text) => text.replace(/^(.)(.)/su, '$2$1'),
  (text) => text.split(' ').reverse().join(' '),
  // What databases take for any sign, or any text.
  ...['%', '_', '*', '?', '.', '.*'].flatMap((any) => [
    (text: string) => text.replace(/^./su, any),
    (text: string) => text.replace(/^\p{L}+/u, any),
  ]),
  ...[...'.!?,\u200b\u0301'].map((more) => (text: string) => text + more),
  ...Array.from(ASCII, (sign, i) => (text: string) => text.replace(sign, ASCII[(i + 1) % ASCII.length] ?? '')),
  // Without a sign that is neither a letter nor a digit.
  ...Array.from(new Set(LONG.replaceAll(/[a-z\d]/gi, '')), (sign) => (text: string) => text.replaceAll(sign, '')),
  ...[
    ...[' |  ', '\u00a0| ', '\t| ', '\r\n|\n', '\r\n| ', '\r\n\r\n|\r\n', '\u200b|', '\u200d|', "'|''"],
    // The second has the same last 16 bits.
    ...['😀|😃', '😀|\uf600', '😀|?', '&|&amp;', '<|&lt;', '&lt;|<', '&amp;|&', '&eacute;|é', '%41|A', '%20| '],
    ...words('ß|ss æ|ae あ|ア ｶ|カ ς|σ ı|i ½|1⁄2 …|... —|- –|- (c)|© \u212b|å \\n|\n'),
  ].map((pair) => {
    const [from = '', to = ''] = pair.split('|')
    return (text: string) => text.replaceAll(from, to)
  }),
  ...[49, 63, 98, 100, 254, 255, 1000, 4000, 4998].map((place) => (text: string) => {
    const signs = [...text]
    return signs.length > place ? signs.with(place, 'n').join('') : text
  }),
]

/** Names that are not the same, but are once they are joined, in another order, or as numbers. */
export const ALIKE = [
  ...['', ...' |,;:-/_.', ', ', '","', '","last":"', '&last='].map((by) => [`a${by}b`, 'c', 'a', `b${by}c`]),
  ['a', 'b', 'b', 'a'],
  ...['1e3 1000', '007 7', '1.0 1', '0x1A 26', '0 00', '0 null', 'false 0', '+1 1', '0e1 0e2'].map((pair) => {
    const [one, other] = words(pair)
    return [one, 'c', other, 'c']
  }),
].map(([first, last, otherFirst, otherLast]) => [
  { first, last },
  { first: otherFirst, last: otherLast },
])
