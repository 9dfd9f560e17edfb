import { RUN_ID } from './requests.ts'

/** What a backend must take and must not take, as data: mostly what frameworks and databases take for something else. */

const words = (text: string) => text.split(' ')

// Types and encodings

export const JSON_TYPES = [
  ...['application/json; charset=utf-8', 'application/json;charset=utf8', 'application/json ; charset="utf-8"'],
  ...['Application/JSON;charset="UTF-8";profile="a;b"', 'application/json; version=1', 'application/json;CHARSET=utf8'],
  ...['application/json;', 'application/json; profile="a;charset=x"'],
]
const OTHER_SUBTYPES = `jsonx json5 json-seq vnd.more+json problem+json x-json octet-stream x-${RUN_ID}`
const OTHER_CHARSETS = 'iso-8859-1 us-ascii utf-16 "utf-16le" windows-1252 utf utf-88 x-utf-8 "" \'utf-8\''
export const OTHER_TYPES = [
  ...words(OTHER_SUBTYPES).map((subtype) => `application/${subtype}`),
  ...['text/json', 'text/html', 'text/plain; charset=utf-8', 'image/json', 'xapplication/json', '*/*', '', 'json'],
  ...['text/plain; a=application/json', 'text/plain, application/json', 'application/json, text/plain'],
  ...['application/', 'multipart/form-data; boundary=x', 'application/json;Charset=utf-16'],
  ...words(OTHER_CHARSETS).map((charset) => `application/json; charset=${charset}`),
]
export const OTHER_ENCODINGS = [
  ...words(`gzip GZIP br deflate zstd compress unknown-${RUN_ID}`),
  ...['gzip, identity', 'identity, gzip'],
]

// JSON

export const FORM = 'email=contract%40example.com'
/** As values these are no JSON either. */
const INVALID_VALUES = [
  ...words("NaN -Infinity 01 +1 .5 1. 0x1 1_000 True None undefined [1,] 'a' `a`"),
  ...['', 'new Date()', '"a" "b"', '"a",,"msg":"b"', '"a\tb"', '"a\nb"', '"\\\n"'],
  ...words(String.raw`"\'" "\x41" "\u12" "\v"`),
]
export const INVALID_JSON = [
  ...['', ' ', '{', '{}}', 'NaN', FORM, '<email/>', 'contract@example.com', '- email: a'],
  ...INVALID_VALUES.map((value) => `{"email":${value}}`),
  '{email:"a@example.com"}',
]
/** What makes JSON invalid, though some parsers take it. */
export const ALMOST_JSON: readonly ((json: string) => string)[] = [
  ...['JJ', 'Jx', 'J]', 'J\0', '\u00a0J', ")]}'\nJ", '// more\nJ', '/* */J', '# more\nJ'].map(
    (text) => (json: string) => text.replaceAll('J', () => json),
  ),
  (json) => json.replace('}', ',}'),
  (json) => json.replaceAll('"', "'"),
  (json) => json.replaceAll(/"(\w+)":/g, "'$1':"),
  (json) => json.replace('@', '\n@'),
]
export const DEEP = ['['.repeat(20_000) + ']'.repeat(20_000), `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`]
export const BYTE_ORDER_MARK = '\ufeff'
/** In hexadecimal: overlong, cut, surrogates, beyond Unicode. */
const INVALID_BYTES = words('ff c080 c0af eda080 e9 f4908080 e282')
export const INVALID_UTF8: readonly ((json: string) => Buffer)[] = [
  ...INVALID_BYTES.map((hex) => (json: string) => {
    const middle = json.indexOf('@')
    return Buffer.concat([Buffer.from(json.slice(0, middle)), Buffer.from(hex, 'hex'), Buffer.from(json.slice(middle))])
  }),
  (json) => Buffer.concat([Buffer.from(json), Buffer.from('e282', 'hex')]),
  ...[(json: string) => json, (json: string) => BYTE_ORDER_MARK + json].flatMap((withMark) => [
    (json: string) => Buffer.from(withMark(json), 'utf16le'),
    (json: string) => Buffer.from(withMark(json), 'utf16le').swap16(),
    (json: string) => utf32(withMark(json)),
    (json: string) => utf32(withMark(json)).swap32(),
  ]),
]
const utf32 = (text: string) => Buffer.from([...text].flatMap((sign) => [0, 0, 0, sign.charCodeAt(0)]))

// Values and names

export const OTHER_THAN_OBJECTS = [null, true, 1, 'text', [], [{}]]
export const OTHER_THAN_TEXTS = [true, 0, null, [], {}, ['a text in an array'], { length: 5 }]
/** Some are names of fields once they are cut, trimmed, folded or decoded. */
export const UNKNOWN_NAMES = [
  ...['', 'email ', ' email', 'email\0', 'email\u00a0', 'emails', 'm\u017fg', 'a/b~c', '%6dore'],
  ...words('more Email EMAIL 0 name.first email[] constructor __proto__'),
]
/** Far more than a name may have that is repeated; cut anywhere, it ends amid an escape. */
export const LONG_NAME = '~/'.repeat(10_000)
export const MANY_UNKNOWN = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`more${i}`, i]))

// Calls

export const OTHER_SITES = [
  ...[`https://${RUN_ID}.example`, 'null'].map((origin) => ({ origin })),
  ...['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
  ...['cross-site', 'same-site'].map((site) => ({ origin: 'https://elsewhere.example', 'sec-fetch-site': site })),
]
export const OTHER_METHODS = ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']
export const METHOD_OVERRIDES = words('x-http-method-override x-http-method x-method-override')
export const otherPaths = (path: string) =>
  [
    ...['/api', '/api/', `/api/${RUN_ID}`, '/api/100%25', path.replace('/api/', '/api/v1/')],
    ...['/more', 's', '/', '.json', '.php', ';a=b'].map((end) => path + end),
    ...['_', ''].map((dash) => path.replace('-', dash)),
    path.replace(/[^/]*$/, (name) => `${name[0]?.toUpperCase()}${name.slice(1)}`),
  ].filter((other) => other !== path)

// Texts

export const EMOJI = '😀'
export const SCRIPTS = words('Ñandú Όνομα Имя שם اسم नाम ชื่อ 名前 이름 ስም 𐌽𐌰𐌼𐍉')
/** Texts that some languages take for something else, or for none. */
const WORDS = '0 null Null NULL false 007 -1 +1 =1+1 @a NaN [] {} "" {{7*7}} %00 None ADA ada McAda "ada" . #a >a'
export const EDGE_TEXTS = [
  ...['e\u0301a\u0308', 'ab\u202Ecd', '👩‍🚒 🇩🇪 👍🏽', '\u200B', '\u{10fffd}\ue000', `O'Ab-"\\</script>`, "'ada'"],
  ...["' OR 1=1; --", '<script>alert(1)</script>', '../../etc/passwd', 'From a', 'javascript:a', ...words(WORDS)],
]
/** Longer in code points than as anybody sees them. */
export const CLUSTERS = ['e\u0301', '👍🏽', '🇩🇪']
/** Each one code point, but more bytes, code units or characters of markup. */
export const WIDE_SIGNS = [EMOJI, ...words('名 é & " \\')]
const range = (start: number, end: number) =>
  Array.from({ length: end - start }, (_, i) => String.fromCharCode(start + i))
/** In groups, so that one call carries several. */
export const CONTROL_GROUPS = [
  ...[range(1, 8), range(8, 16), range(16, 24), range(24, 32), range(127, 144), range(144, 160), range(0x2028, 0x202a)],
].map((group) => `a${group.join('')}b`)
/** The first and last of each range, and those that some languages let through. */
export const CONTROLS = [...'\0\u0001\b\t\n\v\r\u001b\u001f\u007f\u0080\u0085\u009f\u2028\u2029', '\ud800', '\udfff']
/** What ECMAScript's `trim` removes, and what only other languages take for white space. */
export const SPACES = range(0, 0x10000).filter((unit) => unit.trim() === '')
export const NO_SPACES = [...'\u001c\u001d\u001e\u001f\u0085\u180e\u200b\u2060']

// Addresses

/** What a local part may hold beside letters and digits; some backends read more into it, or leave it out. */
export const LOCAL_SIGNS = "!#$%&'*+-/=?^_`{|}~."
const NOT_LOCAL = '"(),:;<>[\\] '
const NOT_DOMAIN = '_+!/=~, ;:<"('
export const ODD_DOMAINS = words(
  '1.a-b.example.com a--b.example.com xn--bcher-kva.example.com example.c example.1 example.a-b',
)
/** After the start of an address, each of these makes it invalid. */
export const INVALID_ENDS = [
  ...['', ' b@example.com', '@example.com\n', '@example.com\0', '@[127.0.0.1]', 'ä@example.com', '😀@example.com'],
  ...words(
    '\u212a@example.com @\u212a.example.com \u017f@example.com ١@example.com ａ@example.com ＠example.com @example。com',
  ),
  ...words('@ @b @b..com @-b.example.com @b-.example.com @example.-com @example.com- @example.com. @.example.com'),
  ...words(`@${'b'.repeat(64)}.example.com @example.${'b'.repeat(64)} @bücher.example.com @a@example.com`),
  ...[...NOT_LOCAL].map((sign) => `${sign}b@example.com`),
  ...[...NOT_DOMAIN].map((sign) => `@a${sign}b.example.com`),
]
/** After one start they are all different; a backend may take them for the first, or for each other. */
export const NEAR_DUPLICATE_ADDRESSES = [
  'ab',
  // With a sign that is left out, cut at, folded, or taken for any text.
  ...[...LOCAL_SIGNS].flatMap((sign) => [`a${sign}b`, `a${sign}`, `ab${sign}c`, `a${sign}${sign}b`]),
  ...words('axb a%61 a&ampb'),
]
  .map((local) => `${local}@example.com`)
  .concat(words('ab@b.example.com ab@example.com.example.com ab@example.c ab@a-b.example.com ab@ab.example.com'))

// Enquiries that are stored and come again

const ASCII = range(32, 127).join('')
const FORMATS = '\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u202a\u202e\u2060\u2066\ufeff'
const SYMBOLS = `æ あ ｶ ς İı ° ½ … — (c) 〜～∥−¢£¬€ 𠀀 z\u0300\u0301\u0302\u0303 \u212b\u1100\u1161\ufffd &eacute; &#39; {{x}} $1 \${1} $& \\1`
const LINES = '\r\n\r\n\r\n\t\b\f a \n b\n\n\n\n.\nFrom a\n-- \n> a\n\n--a\nhttps://example.com/'
const EVERYTHING = `e\u0301😀'"<i>&lt;&</i>\\u0041 Aa${LINES} ${ASCII} ${ASCII}\u00a0 ß 👩‍🚒 ‘x’ “y” ${SYMBOLS} ${FORMATS} ${'[{'.repeat(80)} \u0001\u007f\u0085\u2028z`

/** As many code points as a field may have, with an emoji near the end. */
const filled = (text: string, length: number) => `${text}${'y'.repeat(length - [...text].length - 2)}😀z`

type Change = (text: string) => string
const replaced = (from: string, to: string) => (text: string) => text.replaceAll(from, to)

/** What some backends lose: case, accents, forms of Unicode, quotes, tags, entities, line breaks, single signs. */
const LOSSES: readonly Change[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.normalize('NFC'),
  (text) => text.normalize('NFKC'),
  (text) => text.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  (text) => text.replaceAll(/[‘’“”"]/g, "'"),
  (text) => text.replaceAll(/<[^>]*>/g, ''),
  (text) => text.replaceAll(/https?:\S+/g, ''),
  ...[
    ...[' |  ', '\u00a0| ', '\t| ', '\r\n|\n', '\r\n| ', '\r\n\r\n|\r\n', '\u200b|', '\u200d|', "'|''"],
    // The second has the same last 16 bits.
    ...['😀|😃', '😀|\uf600', '😀|?', '&|&amp;', '<|&lt;', '&lt;|<', '&amp;|&', '&eacute;|é', '%41|A', '%20| '],
    ...words('ß|ss æ|ae あ|ア ｶ|カ ς|σ ı|i ½|1⁄2 …|... —|- –|- (c)|© \u212b|å \\n|\n !|? ;|, a|b 0|1'),
  ].map((pair) => {
    const [from = '', to = ''] = pair.split('|')
    return replaced(from, to)
  }),
  ...Array.from(new Set(EVERYTHING.replaceAll(/[a-z\d]/gi, '')), (sign) => replaced(sign, '')),
]
/** What backends do not look at: an end, the order, a domain's case. */
const PLACES: readonly Change[] = [
  (text) => text.replace(/@.*/, (domain) => domain.toLowerCase()),
  (text) => text.replace(/.$/su, 'w'),
  (text) => text.replace(/^./su, 'w'),
  (text) => text.replace(/^(.)(.)/su, '$2$1'),
  (text) => text.split(' ').reverse().join(' '),
  ...[49, 63, 98, 100, 254, 255, 1000, 4000, 4998].map((place) => (text: string) => {
    const signs = [...text]
    return signs.length > place ? signs.with(place, 'n').join('') : text
  }),
]
/** What databases take for any sign, or any text. */
const WILDCARDS: readonly Change[] = [
  ...['_', '?', '.'].map((any) => (text: string) => text.replace(/^./su, any)),
  ...['%', '*', '.*'].map((any) => (text: string) => text.replace(/^\p{L}+/u, any)),
]
/** For texts that may grow. */
const ADDITIONS: readonly Change[] = [
  ...[...'.!,\u200b\u0301'].map((more) => (text: string) => text + more),
  (text) => text.replaceAll(' ', '  '),
  (text) => text.replace(/^./, (first) => first.toUpperCase()),
  replaced('\ufe0f', ''),
]

/** Each change makes another enquiry of it, where it changes a field. */
export const EDGE_ENQUIRIES = [
  {
    fields: {
      '/name/first': filled(`O'Neil "<b>&amp;</b>" e\u0301 😀 ß \u200d\\n %s_% +`, 100),
      '/name/last': filled('Ünlü–Żółć a b ﬁ ２ \u200b’“”', 100),
      '/msg': filled(EVERYTHING, 5000),
    },
    changes: [...LOSSES, ...PLACES],
  },
  {
    fields: {
      '/name/first': `ada's & <b>&lt;i&eacute;</b> %41%20+`,
      '/name/last': 'lovelace "❤\ufe0f"...',
      '/msg': '\u0085hello & <there>,\n\n ada\r%0A...\u001f',
    },
    changes: ADDITIONS,
  },
  { fields: { '/name/first': 'Ada', '/name/last': 'King', '/msg': 'Hello, Ada' }, changes: [...WILDCARDS, ...PLACES] },
]

/** First and last names that are not the same, but are once they are joined, in another order, or as numbers. */
export const NEAR_DUPLICATE_NAMES = [
  ...['', ...' |,;:-/_', ', ', '","', '","last":"', '&last='].map((by) => [`a${by}b`, 'c', 'a', `b${by}c`]),
  ['a', 'b', 'b', 'a'],
  ...['1e3 1000', '007 7', '1.0 1', '0x1A 26', '0 null', 'false 0', '+1 1', '0e1 0e2'].map((pair) => {
    const [one, other] = words(pair)
    return [one, 'c', other, 'c']
  }),
].map(([first, last, otherFirst, otherLast]) => [
  { '/name/first': first, '/name/last': last },
  { '/name/first': otherFirst, '/name/last': otherLast },
])
