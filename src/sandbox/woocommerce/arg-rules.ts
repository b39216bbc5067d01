/** One argument of a route as the server's own OPTIONS answer describes it. */
export interface ArgRule {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly required?: boolean;
  readonly items?: ArgRule;
  readonly properties?: Readonly<Record<string, ArgRule>>;
}
export type ArgRules = Readonly<Record<string, ArgRule>>;
/** Route path -> methods ("GET", "POST|PUT|PATCH") -> arguments. */
export type RouteRules = Readonly<Record<string, Readonly<Record<string, ArgRules>>>>;

let loaded: Promise<RouteRules> | undefined;

/** The committed schemas, read when the first store answers its first request. */
export function loadArgRules(): Promise<RouteRules> {
  loaded ??= import('./fixtures/args.json', { with: { type: 'json' } }).then(
    (module) => module.default as unknown as RouteRules,
  );
  return loaded;
}

export function rulesFor(rules: RouteRules, path: string, method: string): ArgRules {
  const methods = rules[path];
  if (!methods) return {};
  const key = Object.keys(methods).find((name) => name.split('|').includes(method));
  return (key === undefined ? undefined : methods[key]) ?? {};
}
