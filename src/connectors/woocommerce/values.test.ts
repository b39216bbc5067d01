import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sanitiseHtml } from './html.ts';
import { exportPrice, formatPrice, importPrice, representPrice, type WirePrice } from './price.ts';
import { cleanField, cleanOption, decodeSlug, decodeText, encodeTitle } from './text.ts';
import { exportWeight, importWeight, WOO_WEIGHT_UNITS } from './weight.ts';

const wirePrice = (change: Partial<WirePrice>): WirePrice => ({
  regular: '20.00',
  sale: '',
  saleFrom: null,
  saleTo: null,
  isOnSale: false,
  ...change,
});

test('prices are read exactly; what is no number is refused, never guessed', () => {
  assert.deepEqual(importPrice(wirePrice({}), 'USD'), { regularMinor: 2000, saleMinor: null });
  assert.deepEqual(importPrice(wirePrice({ regular: '' }), 'USD'), { regularMinor: null, saleMinor: null });
  assert.deepEqual(importPrice(wirePrice({ sale: '15', isOnSale: true }), 'USD'), {
    regularMinor: 2000,
    saleMinor: 1500,
  });
  assert.deepEqual(importPrice(wirePrice({ sale: '15', isOnSale: false }), 'USD'), {
    regularMinor: 2000,
    saleMinor: null,
  });
  assert.deepEqual(importPrice(wirePrice({ regular: '1250' }), 'JPY'), { regularMinor: 1250, saleMinor: null });
  assert.deepEqual(importPrice(wirePrice({ regular: '12.345' }), 'KWD'), { regularMinor: 12_345, saleMinor: null });
  for (const bad of ['19,99', 'abc', '1e3', '1 000'])
    assert.equal(importPrice(wirePrice({ regular: bad }), 'USD'), null);
});

test('prices are written as plain decimals with the decimals of the store, or more where they are needed', () => {
  assert.equal(formatPrice(1250, 'USD', 2), '12.50');
  assert.equal(formatPrice(1250, 'USD', 0), '12.5');
  assert.equal(formatPrice(1200, 'USD', 0), '12');
  assert.equal(formatPrice(1250, 'USD', 4), '12.5000');
  assert.equal(formatPrice(1250, 'JPY', 0), '1250');
  assert.equal(formatPrice(1250, 'JPY', 2), '1250.00');
  assert.equal(formatPrice(12_340, 'KWD', 2), '12.34');
  assert.equal(formatPrice(0, 'USD', 2), '0.00');
});

test('no price is written as nothing, never as 0', () => {
  assert.deepEqual(exportPrice({ regularMinor: null, saleMinor: null }, null, 'USD', 2), { regular_price: '' });
});

const PLANNED = wirePrice({ sale: '15.00', saleFrom: '2027-01-01T00:00:00', saleTo: '2027-01-31T00:00:00' });
const RUNNING = wirePrice({
  sale: '15.00',
  saleFrom: '2026-01-01T00:00:00',
  saleTo: '2027-01-31T00:00:00',
  isOnSale: true,
});
const CLEARED = { date_on_sale_from_gmt: '', date_on_sale_to_gmt: '' };

test('a schedule is kept unless it would contradict what is written', () => {
  const write = (regularMinor: number | null, saleMinor: number | null, seen: WirePrice) =>
    exportPrice({ regularMinor, saleMinor }, seen, 'USD', 2);
  assert.deepEqual(write(2500, null, PLANNED), { regular_price: '25.00' }, 'a plan for later is the merchant’s');
  assert.deepEqual(
    write(1400, null, PLANNED),
    { regular_price: '14.00', sale_price: '', ...CLEARED },
    'no longer below',
  );
  assert.deepEqual(write(2500, 1500, RUNNING), { regular_price: '25.00' }, 'the running sale is as wanted');
  assert.deepEqual(write(2000, null, RUNNING), { sale_price: '', ...CLEARED }, 'ended now');
  assert.deepEqual(write(2000, 1200, RUNNING), { sale_price: '12.00' }, 'it ends when the merchant said');
  assert.deepEqual(write(2000, 1200, PLANNED), { sale_price: '12.00', ...CLEARED });
  assert.deepEqual(write(2000, 1500, PLANNED), CLEARED, 'begins now');
  assert.deepEqual(write(2000, 1200, wirePrice({})), { sale_price: '12.00' });
  const dormant = wirePrice({ sale: '30.00' });
  assert.deepEqual(write(4000, null, dormant), { regular_price: '40.00', sale_price: '' }, 'would spring to life');
});

test('a price that is there to the minor unit is not written: its further decimals stay', () => {
  const net = wirePrice({ regular: '8.4034', sale: '7.5631', isOnSale: true });
  const write = (regularMinor: number | null, saleMinor: number | null, seen: WirePrice) =>
    exportPrice({ regularMinor, saleMinor }, seen, 'USD', 2);
  assert.deepEqual(write(840, 700, net), { sale_price: '7.00' });
  assert.deepEqual(write(840, null, net), { sale_price: '' });
  assert.deepEqual(write(900, 756, net), { regular_price: '9.00' });
  assert.deepEqual(write(840, 756, net), {});
  const ended = { ...net, saleFrom: '2026-01-01T00:00:00', saleTo: '2026-01-31T00:00:00', isOnSale: false };
  assert.deepEqual(write(840, 756, ended), CLEARED, 'the same sale once more');
  assert.deepEqual(write(null, null, net), { regular_price: '', sale_price: '' });
  assert.deepEqual(write(null, null, wirePrice({ regular: '' })), {});
  const dinar = exportPrice({ regularMinor: 1235, saleMinor: 900 }, wirePrice({ regular: '1.2345' }), 'KWD', 3);
  assert.deepEqual(dinar, { sale_price: '0.900' });
});

test('what stays of a price and what is written of it never undo each other: a sale that is meant is on', () => {
  const text = fc.integer({ min: 0, max: 30_000 }).map((tenThousandths) => (tenThousandths / 10_000).toFixed(4));
  const minor = fc.option(fc.integer({ min: 0, max: 300 }));
  const isBelow = (sale: string, regular: string) => sale !== '' && regular !== '' && Number(sale) < Number(regular);
  fc.assert(
    fc.property(text, fc.oneof(text, fc.constant('')), minor, minor, (regular, sale, regularMinor, saleMinor) => {
      const seen = wirePrice({ regular, sale, isOnSale: isBelow(sale, regular) });
      const { regular_price = regular, sale_price = sale } = exportPrice({ regularMinor, saleMinor }, seen, 'USD', 2);
      const now = { regular: regular_price, sale: sale_price, isOnSale: isBelow(sale_price, regular_price) };
      assert.deepEqual(importPrice(wirePrice(now), 'USD'), representPrice({ regularMinor, saleMinor }));
    }),
  );
});

test('weights are exact in every unit, and the shortest decimal is written', () => {
  assert.equal(importWeight('0.35', 'kg'), 350_000);
  assert.equal(importWeight('0.35', 'lbs'), 158_757);
  assert.equal(importWeight('1', 'oz'), 28_350);
  assert.equal(importWeight('.5', 'g'), 500);
  for (const none of ['', '0', '0.00', 'abc', '1,5', '-1', '1e3']) assert.equal(importWeight(none, 'kg'), null, none);
  assert.equal(exportWeight(350_000, 'kg'), '0.35');
  assert.equal(exportWeight(453_592, 'lbs'), '1');
  assert.equal(exportWeight(null, 'kg'), '');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), fc.constantFrom(...WOO_WEIGHT_UNITS), (mg, unit) => {
      assert.equal(importWeight(exportWeight(mg, unit), unit), mg);
    }),
  );
});

/** What wp_kses does to each "&": encoded, then the entities that it knows are put back. */
function normaliseEntities(text: string): string {
  const known = new Set(['amp', 'lt', 'gt']);
  return text
    .replaceAll('&', '&amp;')
    .replace(/&amp;([A-Za-z]{2,8}[0-9]{0,2});/g, (whole, name) => (known.has(name) ? `&${name};` : whole))
    .replace(/&amp;#(0*[0-9]{1,7});/g, '&#$1;')
    .replace(/&amp;#[Xx](0*[0-9A-Fa-f]{1,6});/g, '&#x$1;');
}

test('titles come through WordPress’ filters unchanged', () => {
  // What the server does to a title: stripslashes, then entities stay as they are.
  const server = (sent: string) => sent.replace(/\\(.?)/gs, '$1');
  const thorny = fc.string({ unit: fc.constantFrom('&', 'amp', 'lt', '#', 'x', '38', ';', '<', '\\', ' ', 'é') });
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), thorny), (title) => {
      const sent = encodeTitle(title);
      assert.equal(decodeText(server(sent)), title);
      // wp_kses makes the same of it as if every "&" had been encoded.
      const all = title.replace(/\\/g, '\\\\').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
      assert.equal(normaliseEntities(server(sent)), normaliseEntities(server(all)));
    }),
  );
  const encodedEntities = 'Tom & Jerry, AT&T, &copy 2026, &amp;amp; &amp;#38; &amp;#x26;';
  assert.equal(encodeTitle('A & <b> "q" \\'), 'A & &lt;b&gt; "q" \\\\');
  assert.equal(encodeTitle('Tom & Jerry, AT&T, &copy 2026, &amp; &#38; &#x26;'), encodedEntities);
  assert.equal(
    decodeText('Tom &amp; Jerry&#8217;s &hellip; &amp;amp; &nope; &#x1F600;'),
    'Tom & Jerry’s … &amp; &nope; 😀',
  );
  assert.equal(
    decodeText('Caf&eacute; f&uuml;r Ma&szlig;, 5 m&sup2;, &frac12; &Oslash; &bdquo;x&ldquo; &valueOf; &toString;'),
    'Café für Maß, 5 m², ½ Ø „x“ &valueOf; &toString;',
  );
});

test('fields and options lose what WordPress takes from them, once and for all', () => {
  assert.equal(cleanField('  a  <b>x</b> %20 y '), 'a x y');
  assert.equal(cleanField('100% of 5 < 6'), '100% of 5 < 6');
  assert.equal(cleanOption('S|M\\L'), 'S/M/L');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) =>
      assert.equal(cleanField(cleanField(text)), cleanField(text)),
    ),
  );
  assert.equal(decodeSlug('%e3%81%82-1'), 'あ-1');
  assert.equal(decodeSlug('100%'), '100%');
});

const DANGEROUS: readonly (readonly [string, string])[] = [
  ['<p>a</p><script>alert(1)</script><p>b</p>', '<p>a</p><p>b</p>'],
  ['<SCRIPT SRC=//x></SCRIPT>b', 'b'],
  ['<style>p{color:red}</style><p>a</p>', '<p>a</p>'],
  ['<img src="a.jpg" onerror="x()" alt="1">', '<img src="a.jpg" alt="1">'],
  ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href=" java\tscript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href="&#106;avascript:alert(1)">x</a>', '<a>x</a>'],
  ['<a href=\'VBScript:x\' title="t">x</a>', '<a title="t">x</a>'],
  ['<img src="data:image/png;base64,iVBORw0KGgo=" alt="a">', '<img alt="a">'],
  ['<a href="whatsapp://send?text=x">x</a> <a href="/red:blue">y</a>', '<a>x</a> <a>y</a>'],
  [
    '<a href="feed:javascript:x">x</a> <a href="data&#58;x">y</a> <a href="FEED:https://x/">z</a>',
    '<a>x</a> <a>y</a> <a href="feed:https://x/">z</a>',
  ],
  [
    '<a href="Tel: +49 30">x</a> <a href=\'MAILTO:a@b.c\'>y</a>',
    '<a href="tel:+49 30">x</a> <a href="mailto:a@b.c">y</a>',
  ],
  ['<a href="/search/?q=a:b">x</a> <a href="#a">y</a>', '<a href="/search/?q=a:b">x</a> <a href="#a">y</a>'],
  ['<iframe srcdoc="<script>1</script>"></iframe>x', 'x'],
  ['<scr<script></script>ipt>alert(1)</script>x', 'x'],
  ['<p onclick=go() class="k">x</p>', '<p class="k">x</p>'],
  ['<svg viewBox="0 0 1 1"><path d="M0"/></svg><input type="text">x', 'x'],
  ['<p><iframe src="https://video.example/1"></iframe>x</P >', '<p>x</P >'],
  [
    '<img src="a.jpg" srcset="a.jpg 1x" sizes="1px" width="10" data-id="7">',
    '<img src="a.jpg" width="10" data-id="7">',
  ],
  ['<p style="color: rgb(1, 2, 3); margin: 0 ; foo:bar">x</p>', '<p style="margin: 0">x</p>'],
  ["<p style='COLOR:red' class='k'>x</p>", '<p class="k">x</p>'],
  ['<p style="">x</p>', '<p>x</p>'],
  [
    '<p align="center">x<font align="left">y</font></p><ul align="left"></ul>',
    '<p align="center">x<font>y</font></p><ul></ul>',
  ],
  ['<p>4 < 5 and 7 > 6 <b>z</b> <3</p>', '<p>4 &lt; 5 and 7 &gt; 6 <b>z</b> &lt;3</p>'],
  [
    '<p>See <a href="/a"">our</a> <a href=\'/b\'\'>guide</a></p>',
    '<p>See <a href="/a">our</a> <a href="/b">guide</a></p>',
  ],
  ['<p title="a > b" id=\'c<d\'>x</p>', '<p title="a &gt; b" id="c&lt;d">x</p>'],
  ['<p title=it\'s><b class="a>5" wide</b></p>', '<p title="it"><b>5" wide</b></p>'],
  ['<img src="a.jpg" onerror="x()""><o:p style="">x</o:p>', '<img src="a.jpg">x'],
  ['a <!-- b --> <!-- <p title="-->">c</p> <!-- d', 'a <!-- b --> "&gt;c</p> &lt;!-- d'],
  ['<!--[if gte mso 9]><xml><w:x/></xml><![endif]--><p:x>a</p:x><!-->b<!--->c', 'abc'],
  ['a<!--[if gte mso 9]>b', 'a&lt;!--[if gte mso 9]&gt;b'],
  ['<!-- <script> --><p title="<!--">a</p><script><!-- </script> -->b', '<p title="&lt;!--">a</p> --&gt;b'],
  ['<p title="a" Title="b" class=c class=d>e</p><img src=>', '<p title="a" class="c">e</p><img src="">'],
  ['<img/src="a"alt="b"/><p "x" id=y>a</p><a/b>c</a>', '<img src="a" alt="b"/><p id="y">a</p><a>c</a>'],
  ['<a href="target="_blank"<b>x</b>">', '<a href="target=">'],
  ['a <b>b</b> <script src="x" c', 'a <b>b</b> '],
  ['a <?php x ?></>b<![CDATA[c]]>\u0007', 'a b'],
];

for (const [html, expected] of DANGEROUS) {
  test(`sanitised: ${html}`, () => assert.equal(sanitiseHtml(html), expected));
}

const LONG = 40_000;
for (const [what, html] of [
  ['comments that nothing ends', '<!-- 4 < 5 '.repeat(LONG)],
  ['scripts that nothing ends', '<script '.repeat(LONG)],
  ['a name that nothing ends', `<${'a'.repeat(LONG)}`],
  ['a closing name that nothing ends', `</${'a'.repeat(LONG)}`],
  ['spaces in a tag', `<a b${' '.repeat(LONG)}>`],
  ['slashes in a tag', `<a${'/'.repeat(LONG)}>`],
  ['spaces before a quote that stands alone', `<a b="c"${' '.repeat(LONG)}d${' '.repeat(LONG)}">`],
  ['spaces before two slashes', `<a b${' '.repeat(LONG)}//>`],
] as const)
  test(`[C13] a description with ${what} keeps nobody waiting`, () => {
    const startedAt = performance.now();
    sanitiseHtml(html);
    assert.ok(performance.now() - startedAt < 1_000);
  });

test('harmless HTML stays byte for byte, and sanitising again changes nothing', () => {
  const plain =
    '<p style="color:red">Line one<br>\n[gallery ids="1"] &nbsp; <a href="https://x.example/?a=1&amp;b=2">on time</a> 5 &lt; 6</p><!-- c -->';
  assert.equal(sanitiseHtml(plain), plain);
  const piece = fc.constantFrom(
    '<script>',
    '</script>',
    '<img ',
    'onload=x',
    '>',
    '<',
    'text',
    '"',
    'href="javascript:1"',
    'style="color:rgb(1)"',
    '</svg>',
    '<svg ',
    '<p>',
    'on',
    '<style',
    '</',
    '<!',
    '<?',
    '<!--',
    '-->',
    "'",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const once = sanitiseHtml(pieces.join(''));
      assert.equal(sanitiseHtml(once), once);
      assert.doesNotMatch(once, /<script/i);
    }),
    { numRuns: 2_000 },
  );
});
