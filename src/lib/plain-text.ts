// A tag ends before the next one begins: a search that runs past it took seconds for a long description full of "<".
/** What ends a line on the page stands apart in a text, too; `<b>` and the like stand inside of words. */
const BLOCK =
  /<\/?(?:p|div|br|hr|li|ul|ol|dl|dt|dd|h[1-6]|table|thead|tbody|tr|td|th|blockquote|pre|section)\b[^<>]*>/gi;

/** A description as a line of text. It is shown, never put into a page: what is left of damaged tags does no harm. */
export function plainText(html: string): string {
  return html
    .replace(BLOCK, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#0?39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
