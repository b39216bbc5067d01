export interface DeviceName {
  /** "Firefox on Windows". */
  readonly name: string;
  readonly isPhone: boolean;
}

/** Those that call themselves by another's name, too, stand before it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, 'iPad'],
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

function firstIn(list: readonly (readonly [RegExp, string])[], text: string): string | null {
  return list.find(([sign]) => sign.test(text))?.[1] ?? null;
}

/** What a browser says that it is, as people call it. What it does not say is not guessed. */
export function deviceName(userAgent: string): DeviceName {
  const browser = firstIn(BROWSERS, userAgent);
  const system = firstIn(SYSTEMS, userAgent);
  const isPhone = system === 'iPhone' || (system === 'Android' && /\bMobile\b/.test(userAgent));
  const name =
    browser && system ? `${browser} on ${system}` : (browser ?? system ?? (userAgent.slice(0, 60) || 'Unknown device'));
  return { name, isPhone };
}
