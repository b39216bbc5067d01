import { type ComponentType, type ReactNode, use } from 'react';
import { preinit, preloadModule } from 'react-dom';

export type PageParams = Readonly<Record<string, string | undefined>>;
export interface PageProps {
  readonly params: PageParams;
}

export interface Lazy<Props> {
  readonly Component: ComponentType<Props>;
  /** Starts the download of the part and its styles; settles when the part can be drawn, and never fails. */
  readonly preload: () => Promise<void>;
}
export type LazyPage = Lazy<PageProps>;

interface PartList {
  readonly parts: Readonly<Record<string, readonly number[]>>;
  readonly files: readonly string[];
}

let partList: PartList | null = null;

/** Addresses of a part's scripts and styles, as the build listed them in `index.html`. */
function filesOf(name: string): readonly string[] {
  // While a page is drawn at build time there is no document: the build links the files itself.
  if (typeof document === 'undefined') return [];
  partList ??= JSON.parse(document.getElementById('parts')?.textContent ?? '{"parts":{},"files":[]}') as PartList;
  const { parts, files } = partList;
  return (parts[name] ?? []).map((index) => `/${files[index] ?? ''}`);
}

function stylesheetsOf(name: string): readonly string[] {
  return filesOf(name).filter((file) => file.endsWith('.css'));
}

/** A part whose file did not arrive: no network, or a newer version of the server has other files. */
class PartMissing extends Error {
  override readonly name = 'PartMissing';
  /** Forgets the failure: drawn again, the part asks for its file again. */
  readonly retry: () => void;

  constructor(part: string, retry: () => void, cause: unknown) {
    super(`${part} did not load`, { cause });
    this.retry = retry;
  }
}

/** Whether the server answers, be it that it has no such file any more. */
function isServerThere(name: string): Promise<boolean> {
  const [file = '/'] = filesOf(name);
  return fetch(file, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** Some browsers never ask again for a script that failed once, and a newer server has others: a new page helps in both cases. Does not settle. */
function reloadPage(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}

/** A part of the app in a file of its own. `name` is that file's, and by it the build knows the styles. */
export function lazyPart<Props extends object>(
  name: string,
  load: () => Promise<(props: Props) => ReactNode>,
): Lazy<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  let isRetry = false;
  const forget = (): void => {
    loading = undefined;
  };
  const retry = (): void => {
    isRetry = true;
    forget();
  };
  const start = (): Promise<ComponentType<Props>> => {
    loading ??= load().then(
      (Part) => {
        loaded = withStyles(name, Part);
        return loaded;
      },
      async (cause: unknown) => {
        // Only for the person who asked: what is loaded ahead of time must not take the page away from under anybody's hands.
        const isAskedFor = isRetry;
        isRetry = false;
        if (isAskedFor && (await isServerThere(name))) await reloadPage();
        throw new PartMissing(name, retry, cause);
      },
    );
    return loading;
  };
  return {
    Component: function LazyPart(props: Props) {
      const Part = loaded ?? use(start());
      return <Part {...props} />;
    },
    preload: () => {
      for (const href of filesOf(name)) {
        if (href.endsWith('.css')) preinit(href, { as: 'style', precedence: 'page' });
        else preloadModule(href, { as: 'script' });
      }
      // A download ahead of time that failed is no failure of the page that is shown.
      return start().then(() => undefined, forget);
    },
  };
}

/** React shows the part once these have arrived. */
function withStyles<Props extends object>(name: string, Part: (props: Props) => ReactNode): ComponentType<Props> {
  const hrefs = stylesheetsOf(name);
  return function StyledPart(props: Props) {
    return (
      <>
        {hrefs.map((href) => (
          <link key={href} rel="stylesheet" href={href} precedence="page" />
        ))}
        <Part {...props} />
      </>
    );
  };
}
