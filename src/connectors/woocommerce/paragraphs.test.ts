import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseHtml } from '../../core/normalise.ts';
import { withoutLooseBreaks, withParagraphs } from './paragraphs.ts';
import { storedHtml } from './represent.ts';

/** Stored text, and what WordPress 6.9.7 shows of it. */
const MEASURED: readonly (readonly [stored: string, shown: string])[] = [
  ['Line one\n\nLine two', '<p>Line one</p>\n<p>Line two</p>\n'],
  ['a\nb\nc', '<p>a<br />\nb<br />\nc</p>\n'],
  ['\r\na\r\n\r\nb\r\n', '<p>a</p>\n<p>b</p>\n'],
  ['<p>a</p><p>b</p>', '<p>a</p>\n<p>b</p>\n'],
  ['<p>a\nb</p>', '<p>a<br />\nb</p>\n'],
  ['Intro:\n<ul>\n \t<li>one</li>\n</ul>\nAfter', '<p>Intro:</p>\n<ul>\n<li>one</li>\n</ul>\n<p>After</p>\n'],
  [
    '<h2>Head</h2>\nText under\nsecond line\n\nnext',
    '<h2>Head</h2>\n<p>Text under<br />\nsecond line</p>\n<p>next</p>\n',
  ],
  ['<strong>Bold</strong> text\n\n<em>x</em>', '<p><strong>Bold</strong> text</p>\n<p><em>x</em></p>\n'],
  ['<blockquote>quote one\n\nquote two</blockquote>', '<blockquote><p>quote one</p>\n<p>quote two</p></blockquote>\n'],
  ['<pre>a\n\nb\nc</pre>', '<pre>a\n\nb\nc</pre>\n'],
  [
    '<table>\n<tbody>\n<tr>\n<td>x\ny</td>\n</tr>\n</tbody>\n</table>',
    '<table>\n<tbody>\n<tr>\n<td>x<br />\ny</td>\n</tr>\n</tbody>\n</table>\n',
  ],
  ['text<br>more<br />\nmore', '<p>text<br />more<br />\nmore</p>\n'],
  ['<img src="a.png" />\n\ntext', '<p><img src="a.png" /></p>\n<p>text</p>\n'],
  ['<p style="x">a</p>\n\nb', '<p style="x">a</p>\n<p>b</p>\n'],
  ['a <div>b</div> c', '<p>a </p>\n<div>b</div>\n<p> c</p>\n'],
  ['<!-- wp:paragraph -->\n<p>One</p>\n<!-- /wp:paragraph -->', '<p>One</p>\n'],
  ['<hr>\nx', '<hr>\n<p>x</p>\n'],
  ['<address>a\nb</address>', '<address>a<br />\nb</address>\n'],
  ['plain', '<p>plain</p>\n'],
  ['', ''],
];

test('[R14] a stored description is read as WordPress shows it: a blank line ends a paragraph, a line break is one', () => {
  for (const [stored, shown] of MEASURED) {
    assert.equal(normaliseHtml(withParagraphs(stored)), normaliseHtml(shown), JSON.stringify(stored));
    assert.equal(withParagraphs(withParagraphs(stored)), withParagraphs(stored), `again: ${JSON.stringify(stored)}`);
  }
  assert.equal(withParagraphs('<a\nhref="x">a</a>\n\nb'), '<p><a href="x">a</a></p>\n<p>b</p>');
});

test("saving a product in the shop's own editor, which takes the paragraphs' tags away, is no edit of its description", () => {
  const html = '<h2>A</h2><p>One <b>two</b></p><ul><li>x</li><li>y</li></ul><p>Three<br>four</p>';
  const saved = '<h2>A</h2>\nOne <b>two</b>\n<ul>\n \t<li>x</li>\n \t<li>y</li>\n</ul>\nThree\nfour';
  assert.equal(normaliseHtml(withParagraphs(saved)), normaliseHtml(withParagraphs(storedHtml(html))));
  assert.equal(normaliseHtml(withParagraphs('One')), normaliseHtml('<p>One</p>'));
});

test('line breaks that mean nothing in HTML are not stored where WordPress would show them', () => {
  assert.equal(withoutLooseBreaks('<p>\n  long\n  text</p>\n<p>b</p>'), '<p>   long   text</p>\n<p>b</p>');
  assert.equal(withoutLooseBreaks('<b>a</b>\n<i>b</i>\n\nc'), '<b>a</b> <i>b</i> c');
  assert.equal(withoutLooseBreaks('<ul>\n  <li>a</li>\n</ul>'), '<ul>\n  <li>a</li>\n</ul>');
  assert.equal(withoutLooseBreaks('<pre>a\n\nb</pre>'), '<pre>a\n\nb</pre>');
  for (const html of ['<p>\n  long\n  text</p>', 'a\nb', '<b>a</b>\n<i>b</i>', '<div>a\n\nb</div>'])
    assert.ok(!withParagraphs(withoutLooseBreaks(html)).includes('<br'), html);
});

test('long and hostile descriptions are read in a moment', () => {
  const startedAt = performance.now();
  for (const part of [
    '<!--',
    '<a "',
    '<a \'"',
    '<p>',
    '</p>',
    ' ',
    '\n',
    '\n ',
    '<br',
    '<br />\n',
    'a\n',
    '<div>a\n\n',
  ])
    withParagraphs(withoutLooseBreaks(`a${part.repeat(20_000)}b\nc`));
  assert.ok(performance.now() - startedAt < 5_000);
});
