import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from './csv.ts';

test('a line of a table is read back as it was, whatever its cells hold', () => {
  assert.equal(csvLine(['plain', '', 'a,b', 'say "hi"', 'two\nlines']), 'plain,,"a,b","say ""hi""","two\nlines"');
});

test('what a spreadsheet would take for a formula is a text there', () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', 'a=1'];
  assert.equal(csvLine(cells), `'=1+1,'+1,'-1,'@SUM(A1),'\t=1,' =1,"'\r=1",'＝1,a=1`);
});
