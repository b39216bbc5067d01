/** The address, or null when the text is none. (`URL.parse` does this, but not before Node 22.) */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
