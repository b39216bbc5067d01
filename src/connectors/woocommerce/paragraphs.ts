/**
 * WordPress keeps descriptions the way its editor leaves them: paragraphs without tags, parted by blank lines, and line
 * breaks as they are typed. Only when a page is shown do they become HTML, and the API hands editors the stored text.
 */

const BLOCK =
  /^(?:address|article|aside|blockquote|caption|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|legend|li|map|menu|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const VOID = /^(?:col|hr)$/;
/** What stands in them is shown as it stands. */
const VERBATIM = /^(?:pre|style|script)$/;
/** They hold text, but no paragraphs. */
const ONE_PARAGRAPH = /^(?:p|h[1-6]|caption|dt|legend|summary)$/;
const TOKEN = /(<!--[\s\S]*?(?:-->|$)|<\/?[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>)/;
const TAG_NAME = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)/;

interface Piece {
  readonly text: string;
  /** Lower case; '' for text and comments. */
  readonly tag: string;
  readonly isClosing: boolean;
  readonly isBlock: boolean;
}

/** The HTML that WordPress shows for a stored description: every paragraph and line break with its tag. */
export function withParagraphs(stored: string): string {
  if (!/[<\n]/.test(stored.trim())) return stored;
  const shown: string[] = [];
  const open: string[] = [];
  let run: string[] = [];
  const flush = () => {
    shown.push(showRun(run.join(''), open.at(-1) ?? ''));
    run = [];
  };
  for (const piece of pieces(stored.replace(/\r\n?/g, '\n'))) {
    if (!piece.isBlock) {
      run.push(/^<[a-zA-Z/!]/.test(piece.text) ? piece.text.replaceAll('\n', ' ') : piece.text);
      continue;
    }
    flush();
    shown.push(piece.text);
    if (!piece.isClosing && !VOID.test(piece.tag)) open.push(piece.tag);
    else if (piece.isClosing && open.includes(piece.tag)) open.length = open.lastIndexOf(piece.tag);
  }
  flush();
  return shown.join('');
}

/** Whether a tag (lower case) stands on its own, between paragraphs or around them. */
export function isBlockTag(tag: string): boolean {
  return BLOCK.test(tag);
}

/** Text and inline tags between two block tags, inside of `parent` ('' at the top). */
function showRun(run: string, parent: string): string {
  const text = run.trim();
  if (text === '' || VERBATIM.test(parent) || text.replace(/<!--[\s\S]*?(?:-->|$)/g, '').trim() === '') return run;
  const parts = text.split(/\n\s*\n/);
  const hasParagraphs = parent === '' || parent === 'blockquote' || (parts.length > 1 && !ONE_PARAGRAPH.test(parent));
  const lines = parts.map((part) => withBreaks(part.trim()));
  return hasParagraphs ? lines.map((line) => `<p>${line}</p>`).join('\n') : lines.join('<br />\n<br />\n');
}

function withBreaks(text: string): string {
  return text.replace(/(?<!<br ?\/?>)\n/gi, '<br />\n');
}

/** HTML with line breaks only where WordPress makes nothing of them: anywhere else HTML means a space, WordPress a new line. */
export function withoutLooseBreaks(html: string): string {
  const all = pieces(html);
  let verbatim = 0;
  return all
    .map(({ text, tag, isClosing }, index) => {
      if (VERBATIM.test(tag)) verbatim = Math.max(0, verbatim + (isClosing ? -1 : 1));
      if (tag !== '' || verbatim > 0 || !/[\r\n]/.test(text)) return text;
      const isBetweenBlocks =
        text.trim() === '' && (all[index - 1]?.isBlock !== false || all[index + 1]?.isBlock !== false);
      return isBetweenBlocks ? text : text.replace(/[\r\n]+/g, ' ');
    })
    .join('');
}

function pieces(html: string): readonly Piece[] {
  return html
    .split(TOKEN)
    .filter((text) => text !== '')
    .map((text) => {
      const [, slash, name = ''] = TAG_NAME.exec(text) ?? [];
      const tag = name.toLowerCase();
      return { text, tag, isClosing: slash === '/', isBlock: BLOCK.test(tag) };
    });
}
