/** The server's API as a person's browser uses it. */
export interface Api {
  connectStore(form: object): Promise<string>;
  createPair(woocommerceStoreId: string, shopifyStoreId: string): Promise<string>;
  plan(pairId: string): Promise<Plan>;
  apply(plan: Plan): Promise<Run>;
  sync(pairId: string): Promise<Run>;
  /** Has the server copy and prove its database. Resolves to how large the copy is, bytes. */
  backUp(): Promise<number>;
  /** The longest that the server took to say that it is alive, asked again and again until `work` has ended, ms. */
  longestWait(work: Promise<unknown>): Promise<number>;
}

export interface Plan {
  readonly _id: string;
  readonly status: string;
  readonly hash: string | null;
  readonly counts: Readonly<Record<string, unknown>>;
}

export interface Run {
  readonly _id: string;
  readonly status: string;
  readonly stats: Readonly<Record<string, number>>;
  readonly error: unknown;
}

const FORM = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  password: 'Secret-12',
  confirmPassword: 'Secret-12',
  agreeToTerms: true,
};
const POLL_MS = 50;
const HEALTH_POLL_MS = 5;

/** Makes the first account of a fresh server, or enters with it again. */
export async function enter(baseUrl: string, how: 'signup' | 'login'): Promise<Api> {
  let token = '';
  async function call<T>(method: string, path: string, body: object | null = null): Promise<T> {
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as T;
  }
  async function finished(runId: string): Promise<Run> {
    for (;;) {
      const { run } = await call<{ run: Run }>('GET', `/api/sync/status/${runId}`);
      if (run.status !== 'running') {
        if (run.status !== 'completed') throw new Error(`the run ended as ${run.status}: ${JSON.stringify(run.error)}`);
        return run;
      }
      await pause(POLL_MS);
    }
  }
  const form = how === 'signup' ? FORM : { username: FORM.email, password: FORM.password };
  token = (await call<{ accessToken: string }>('POST', `/api/auth/${how}`, form)).accessToken;
  return {
    async connectStore(form) {
      return (await call<{ store: { _id: string } }>('POST', '/api/stores/connect', form)).store._id;
    },
    async createPair(woocommerceStoreId, shopifyStoreId) {
      // What is measured is the program, and not the limit that a person sets: a first link of 10,000 products asks more than 1,000 times in its minute.
      const form = { woocommerceStoreId, shopifyStoreId, syncDirection: 'bidirectional', rateLimit: 10_000 };
      return (await call<{ pair: { _id: string } }>('POST', '/api/pairs', form)).pair._id;
    },
    async plan(pairId) {
      const { plan: asked } = await call<{ plan: Plan }>('POST', `/api/pairs/${pairId}/plan`);
      for (;;) {
        const { plan } = await call<{ plan: Plan }>('GET', `/api/plans/${asked._id}`);
        if (plan.status === 'failed') throw new Error(`the plan failed: ${JSON.stringify(plan)}`);
        if (plan.status !== 'planning') return plan;
        await pause(POLL_MS);
      }
    },
    async apply(plan) {
      const { run } = await call<{ run: Run }>('POST', `/api/plans/${plan._id}/apply`, { hash: plan.hash });
      return finished(run._id);
    },
    async sync(pairId) {
      return finished((await call<{ run: Run }>('POST', '/api/sync/manual', { pairId })).run._id);
    },
    async backUp() {
      return (await call<{ backup: { sizeBytes: number } }>('POST', '/api/instance/backups')).backup.sizeBytes;
    },
    async longestWait(work) {
      let isOver = false;
      const over = work.finally(() => {
        isOver = true;
      });
      let longest = 0;
      while (!isOver) {
        const askedAt = performance.now();
        await call('GET', '/api/health');
        longest = Math.max(longest, performance.now() - askedAt);
        await pause(HEALTH_POLL_MS);
      }
      await over;
      return longest;
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Asks again until `isTrue`; false when that takes longer than `withinMs`. */
export async function until(withinMs: number, isTrue: () => Promise<boolean> | boolean): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > end) return false;
    await pause(25);
  }
  return true;
}
