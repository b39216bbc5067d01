import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './plain-text.ts';

test('a description reads as its page does: words stay whole, lines stay apart', () => {
  assert.equal(
    plainText('<p>A bowl for the <b>house</b>.</p><p>Salt &amp; pepper</p>'),
    'A bowl for the house. Salt & pepper',
  );
  assert.equal(plainText('<ul><li>oak</li><li>un<em>oiled</em></li></ul>5 &lt; 6'), 'oak unoiled 5 < 6');
  assert.equal(plainText('<p>&nbsp;</p>'), '');
});

test('a damaged description of any length is read once through', () => {
  for (const open of ['<', '<p', '<p class="'])
    assert.equal(plainText(open.repeat(400_000)).length, open.repeat(400_000).length, open);
});
