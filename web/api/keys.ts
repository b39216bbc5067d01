/** Names of everything that is fetched; the first word is what the live socket invalidates. */
export const KEY = {
  overview: ['overview'],
  shelves: ['shelves'],
  stores: ['stores'],
  pairs: ['pairs'],
  plans: ['plans'],
  plan: (id: string, filter?: object) => ['plans', id, ...(filter ? [filter] : [])],
  history: (filter: object) => ['runs', 'history', filter],
  run: (id: string, filter?: object) => ['runs', id, ...(filter ? [filter] : [])],
  runs: ['runs'],
  activity: (filter?: object) => ['activity', ...(filter ? [filter] : [])],
  /** Not fetched: what the live channel brought. */
  arrived: ['arrived'],
  conflicts: (filter?: object) => ['conflicts', ...(filter ? [filter] : [])],
  records: (filter?: object) => ['records', ...(filter ? [filter] : [])],
  record: (id: string) => ['records', id],
  problems: (filter?: object) => ['problems', ...(filter ? [filter] : [])],
} as const;
