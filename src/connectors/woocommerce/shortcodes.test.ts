// What only WordPress can show stays in WooCommerce: it neither travels as text nor is written over.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseHtml } from '../../core/normalise.ts';
import { create, openStore, update, variant } from './open-store.test.ts';
import { representFields, storedHtml } from './represent.ts';
import { isForWordPressAlone, withoutShortcodes } from './shortcodes.ts';

const FORM = '[contact-form-7 id="4" title="Ask"]';

const READ: readonly (readonly [stored: string, shown: string])[] = [
  [`<p>A mug.</p>\n<p>${FORM}</p>`, '<p>A mug.</p>\n'],
  [`A mug. ${FORM} And a cup.`, 'A mug.  And a cup.'],
  ['[gallery]', ''],
  ['Before\n\n[sizechart]\n\nAfter', 'Before\n\n\n\nAfter'],
  ['[caption width="300"]<img src="a.jpg"> A mug[/caption]', '<img src="a.jpg"> A mug'],
  ['[vc_row][vc_column]Text[/vc_column][/vc_row]', 'Text'],
  ['[video src="a.mp4" /]x', 'x'],
  ['<p>[one][two][/two][/one]</p><p>[three x=1] [four_x]</p><p>y</p>', '<p>y</p>'],
  ['[tip text="<b>x</b>"]y[/tip]', 'y'],
  ['<!-- wp:paragraph {"align":"left"} -->\n<p>A</p>\n<!-- /wp:paragraph --><!-- wp:latest-posts /-->', '\n<p>A</p>\n'],
];

const TEXT = [
  'Sizes [M], [L] and [XL]',
  '[new] A mug [sic], made [by hand]',
  '<ul><li>[red]</li><li>[blue]</li></ul>',
  '<a href="/?filter[price_min]=1&amp;b[x y=2]">x</a>',
  'Write [[gallery ids="1"]] for a gallery',
  '[1] [] [ x=1] [a [b] ]',
  '<!-- a note --><p>x</p>',
];

test('shortcodes and the marks of blocks are read as what they enclose; words in brackets are words', () => {
  for (const [stored, shown] of READ) {
    assert.equal(withoutShortcodes(stored), shown, stored);
    assert.equal(isForWordPressAlone(stored), true, stored);
  }
  for (const text of TEXT) {
    assert.equal(withoutShortcodes(text), text);
    assert.equal(isForWordPressAlone(text), false, text);
    assert.equal(storedHtml(text), text);
  }
});

const piece = fc.constantFrom(
  ...[
    '[',
    ']',
    '[[',
    '/',
    ' ',
    '\n',
    '\n\n',
    'x=1',
    '"',
    'gallery',
    'a_b',
    'abc',
    'text',
    '<p>',
    '</p>',
    '<div>',
    '</div>',
  ],
  ...[
    '<blockquote>',
    '</blockquote>',
    '<br>',
    '<li>',
    '</li>',
    '<!-- wp:html -->',
    '<!-- /wp:html -->',
    '<!',
    '-- wp:x -->',
    '<script></script>',
    '[/abc]',
    '[abc]',
  ],
);

test('a text from elsewhere is shown as it is, and is no work of WordPress’ own', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const html = pieces.join('');
      const stored = storedHtml(html);
      assert.equal(isForWordPressAlone(stored), false);
      assert.equal(withoutShortcodes(stored), stored, 'nothing is lost of it');
      const fields = { ...FIELDS, descriptionHtml: html };
      const once = representFields(fields);
      assert.deepEqual(representFields(once), once);
    }),
    {
      numRuns: 2_000,
      examples: [[['<!', '<!-- wp:html -->', '-- wp:x -->', '\n\n']], [['<!', '<script></script>', '-- wp:x -->']]],
    },
  );
  for (const [html] of READ.slice(0, 3)) assert.equal(normaliseHtml(storedHtml(html)), normaliseHtml(html));
});

const FIELDS = { title: 'x', descriptionHtml: '', status: 'active', tags: [], optionNames: [], handle: 'x' } as const;

test('a damaged text is told in no time', () => {
  for (const part of ['[', '[a ', '[[a]', '[a x=', '<p>[abc', '>[abc] ', '<!-- wp:', '[a_b]\n'])
    for (const text of [part.repeat(100_000 / part.length), `[a${' '.repeat(100_000)}`, `[${'a'.repeat(100_000)}`]) {
      const before = performance.now();
      storedHtml(text);
      isForWordPressAlone(withoutShortcodes(text));
      assert.ok(performance.now() - before < 1_500, `${part}: ${performance.now() - before} ms`);
    }
});

test('a description with shortcodes or blocks is not written over: that field is refused in plain words, and nothing of the write is sent', async () => {
  const { connector, read, call, controls, sent } = await openStore();
  const { productId } = controls.addProduct({ title: 'Mug', regularPrice: '20.00' });
  for (const description of [
    `<p>A mug.</p><p>${FORM}</p>`,
    '<!-- wp:paragraph --><p>A mug.</p><!-- /wp:paragraph -->',
  ]) {
    await call('PUT', `/products/${productId}`, { description });
    const seen = await read(productId);
    assert.equal(seen.fields.descriptionHtml, '<p>A mug.</p>');
    const [outcome] = await connector.writeProducts([
      update(seen, { fields: { descriptionHtml: '<p>A cup.</p>', title: 'Cup' } }),
    ]);
    const error = outcome?.ok === false ? outcome.error : assert.fail('it was written');
    assert.deepEqual([error.kind, error.details.field], ['rejected', 'descriptionHtml']);
    assert.match(error.message, /shortcodes or blocks/);
    assert.equal(sent.length, 0);
    const [rest] = await connector.writeProducts([update(seen, { fields: { title: `Cup ${description.length}` } })]);
    assert.equal(rest?.ok, true);
    assert.equal((await call('GET', `/products/${productId}?context=edit`)).description, description);
    sent.splice(0);
  }
  await call('PUT', `/products/${productId}`, { description: '<p>A mug.</p>' });
  const [outcome] = await connector.writeProducts([
    update(await read(productId), { fields: { descriptionHtml: '<p>A cup.</p>' } }),
  ]);
  assert.equal(outcome?.ok && outcome.snapshot.fields.descriptionHtml, '<p>A cup.</p>');
});

test('a product that is made of a text with brackets can be written again', async () => {
  const { connector } = await openStore();
  const [made] = await connector.writeProducts([create({ descriptionHtml: `<p>${FORM}</p>` }, [variant()])]);
  const seen = made?.ok ? made.snapshot : assert.fail('it was refused');
  assert.equal(normaliseHtml(seen.fields.descriptionHtml), normaliseHtml(FORM));
  const [outcome] = await connector.writeProducts([update(seen, { fields: { descriptionHtml: '<p>A cup.</p>' } })]);
  assert.equal(outcome?.ok, true);
});
