import { type ComponentType, lazy } from 'react';
import { preinit } from 'react-dom';

export type PageParams = Readonly<Record<string, string | undefined>>;
export interface PageProps {
  readonly params: PageParams;
}

export interface Lazy<Props> {
  readonly Component: ComponentType<Props>;
  /** Starts the download of the part and its styles. */
  readonly preload: () => void;
}
export type LazyPage = Lazy<PageProps>;

let routeCss: Readonly<Record<string, readonly string[]>> | null = null;

/** Stylesheets of a part, as the build listed them in `index.html`. */
function stylesheetsOf(name: string): readonly string[] {
  routeCss ??= JSON.parse(document.getElementById('route-css')?.textContent ?? '{}') as Record<string, string[]>;
  return routeCss[name] ?? [];
}

/** A part of the app in a file of its own. `name` is that file's, and by it the build knows the styles. */
export function lazyPart<Props extends object>(name: string, load: () => Promise<ComponentType<Props>>): Lazy<Props> {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  const start = (): Promise<{ default: ComponentType<Props> }> => {
    loading ??= load().then(
      (Part) => ({ default: withStyles(name, Part) }),
      (cause: unknown) => {
        loading = undefined;
        throw cause;
      },
    );
    return loading;
  };
  return {
    Component: lazy(start) as unknown as ComponentType<Props>,
    preload: () => {
      for (const href of stylesheetsOf(name)) preinit(href, { as: 'style', precedence: 'page' });
      start().catch(() => undefined);
    },
  };
}

/** React shows the part once these have arrived. */
function withStyles<Props extends object>(name: string, Part: ComponentType<Props>): ComponentType<Props> {
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
