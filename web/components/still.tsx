import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

const drawn = new Map<string, string>();

/** The HTML that the build drew for `name`, as long as the document still has it. */
function findDrawn(name: string): string | null {
  if (typeof document === 'undefined') return null;
  const html = drawn.get(name) ?? document.querySelector(`[data-still="${name}"]`)?.innerHTML;
  if (!html) return null;
  drawn.set(name, html);
  return html;
}

/**
 * A part that nothing ever changes: pictures, texts, `details`. Where the build has drawn it, its HTML stays as it is and its code
 * is not downloaded at all; who comes from another page of the app gets the code.
 */
export function still(name: string, load: () => Promise<() => ReactNode>): ComponentType {
  const Fresh = lazy(async () => ({ default: await load() }));
  return function Still() {
    const [html] = useState(() => findDrawn(name));
    if (html !== null) {
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own HTML, taken from the document that this server sent
      return <div data-still={name} dangerouslySetInnerHTML={{ __html: html }} />;
    }
    return (
      <div data-still={name}>
        <Suspense fallback={null}>
          <Fresh />
        </Suspense>
      </div>
    );
  };
}
