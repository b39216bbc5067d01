import { createElement, type FunctionComponent, type SVGProps } from 'react';

/** An icon as lucide-react describes it: the tags inside its square of 24, with their attributes (a key among them). */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Draws one icon of lucide-react. Stands in the bundle for the package's own factory (build/single-icons.ts), which carries contexts,
 * aliases and sizes that nothing here sets, to every page.
 */
export function createIcon({ node }: IconData): FunctionComponent<SVGProps<SVGSVGElement>> {
  return (props) =>
    createElement(
      'svg',
      {
        width: 24,
        height: 24,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': props['aria-label'] === undefined ? true : undefined,
        ...props,
      },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
