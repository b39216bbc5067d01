/**
 * What WordPress lets through of HTML that comes by the API (`wp_kses_post`), measured on 6.4 and 7.1: tags,
 * attributes and style properties that both allow. What one of them would drop is dropped here before it is sent:
 * otherwise its loss would come back looking like an edit of somebody in the shop.
 */
const GLOBAL_ATTRIBUTES = words(
  'aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby aria-live class dir hidden id lang role style title xml:lang',
);

/** These alone may have `align`. */
const ALIGNED = words(
  'article aside caption col colgroup details div figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup hr img legend li main nav p section span summary table tbody td tfoot th thead tr',
);

/** Attributes of their own, then the tags that have them. */
const TAGS: readonly (readonly [attributes: string, tags: string])[] = [
  [
    '',
    'address abbr acronym article aside b bdo big br caption cite code dd dfn div dl dt em fieldset figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup i kbd legend main mark nav p rb rp rt rtc ruby s samp span section small strike strong sub summary sup title tt u var',
  ],
  ['download href name rel rev target', 'a'],
  ['alt coords href nohref shape target', 'area'],
  ['autoplay controls loop muted preload src', 'audio'],
  ['cite', 'blockquote q'],
  ['disabled name type value', 'button'],
  ['char charoff span valign width', 'col colgroup'],
  ['datetime', 'del'],
  ['open', 'details'],
  ['color face size', 'font'],
  ['noshade size width', 'hr'],
  ['alt border height hspace loading longdesc src usemap vspace width', 'img'],
  ['cite datetime', 'ins'],
  ['for', 'label'],
  ['value', 'li'],
  ['name', 'map'],
  ['type', 'menu ul'],
  ['width', 'pre'],
  ['bgcolor border cellpadding cellspacing rules summary width', 'table'],
  ['char charoff valign', 'tbody tfoot thead'],
  ['abbr axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width', 'td th'],
  ['cols disabled name readonly rows', 'textarea'],
  ['bgcolor char charoff valign', 'tr'],
  ['default kind label src srclang', 'track'],
  ['reversed start type', 'ol'],
  ['autoplay controls height loop muted playsinline poster preload src width', 'video'],
];

const STYLES = words(
  `align-content align-items align-self aspect-ratio background background-attachment background-blend-mode
  background-color background-image background-position background-size border border-bottom border-bottom-color
  border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width border-collapse
  border-color border-left border-left-color border-left-style border-left-width border-radius border-right
  border-right-color border-right-style border-right-width border-spacing border-style border-top border-top-color
  border-top-left-radius border-top-right-radius border-top-style border-top-width border-width bottom box-shadow
  caption-side clear color column-count column-fill column-gap column-rule column-span column-width columns cursor
  direction filter flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family
  font-size font-style font-variant font-weight gap grid-auto-columns grid-auto-rows grid-column-end grid-column-gap
  grid-column-start grid-gap grid-row-end grid-row-gap grid-row-start grid-template-columns grid-template-rows height
  justify-content justify-items justify-self left letter-spacing line-height list-style-type margin margin-block-end
  margin-block-start margin-bottom margin-inline-end margin-inline-start margin-left margin-right margin-top max-height
  max-width min-height min-width object-fit object-position overflow padding padding-block-end padding-block-start
  padding-bottom padding-inline-end padding-inline-start padding-left padding-right padding-top position right row-gap
  text-align text-decoration text-indent text-transform top vertical-align width writing-mode z-index`,
);

const OWN_ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  TAGS.flatMap(([attributes, tags]) => [...words(tags)].map((tag) => [tag, words(attributes)] as const)),
);

/** Functions make WordPress drop a declaration, but for a few that differ by version. */
const REFUSED_VALUE = /[\\(&}=]|\/\*/;

export function isAllowedTag(name: string): boolean {
  return OWN_ATTRIBUTES.has(name.toLowerCase());
}

export function isAllowedAttribute(tag: string, name: string): boolean {
  const lower = name.toLowerCase();
  if (lower === 'align') return ALIGNED.has(tag.toLowerCase());
  if (GLOBAL_ATTRIBUTES.has(lower) || /^data-[a-z0-9_]+(?:-[a-z0-9_]+)*$/.test(lower)) return true;
  return OWN_ATTRIBUTES.get(tag.toLowerCase())?.has(lower) === true;
}

/** The declarations of a style attribute that stay, as WordPress joins them; '' when none does. */
export function allowedStyle(style: string): string {
  return style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => {
      const [property = '', value] = declaration.split(/:(.*)/s);
      return value !== undefined && STYLES.has(property.trim()) && !REFUSED_VALUE.test(declaration);
    })
    .join(';');
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim() === '' ? [] : text.trim().split(/\s+/));
}
