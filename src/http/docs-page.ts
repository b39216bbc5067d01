import { BRAND } from '../brand.ts';
import { ERROR_CATALOGUE } from '../contracts/errors.ts';
import { OPERATIONS } from '../contracts/operations.ts';
import { escapeHtml } from '../lib/escape-html.ts';
import { describePolicy } from './openapi.ts';
import type { KnownRoute } from './plugins/authentication.ts';

/** Addresses are relative to /api, so that the page works under a sub-path. `up`: the way there from the page. */
export function renderDocs(routes: readonly KnownRoute[], version: string, up: './' | '../'): string {
  const described = routes.filter(({ method, url }) => OPERATIONS[`${method} ${url}`] !== undefined);
  const groups = new Map<string, KnownRoute[]>();
  for (const route of described) {
    const name = route.url.split('/')[2] ?? '';
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  const menu = [...groups.keys()]
    .map((name) => `<li><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a></li>`)
    .join('');
  const sections = [...groups].map(([name, list]) => section(name, list)).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${BRAND.name} API</title><link rel="stylesheet" href="${up}docs/style.css"></head>
<body><header><h1>${BRAND.name} API</h1><p>Version ${escapeHtml(version)} · <a href="${up}openapi.json">OpenAPI 3.1</a> · <a href="${up}client.ts">client in TypeScript</a></p></header>
<nav aria-label="Groups"><ul>${menu}<li><a href="#errors">errors</a></li></ul></nav>
<main>${INTRODUCTION}${sections}${errors()}</main></body></html>`;
}

const INTRODUCTION = `<section id="start"><h2>Start</h2>
<p>Sign in, make an API token (<code>POST /api/workspace/tokens</code>), and send it with each request:</p>
<pre>export TWINSHELF=https://your-instance.example TOKEN=ts_…
curl -sS -H "Authorization: Bearer $TOKEN" "$TWINSHELF/api/stores"</pre>
<p>A token has a scope: <b>read</b> looks, <b>operate</b> also runs syncs and resolves conflicts, <b>manage</b> also connects stores and changes pairs. It can never do more than the person who made it.</p>
<p>Lists give <code>nextCursor</code>: send it back as <code>cursor</code> until it is null. Reads carry an <code>ETag</code>, save those about people, accounts and the instance: send it as <code>If-None-Match</code> and get 304 while nothing changed. A POST with an <code>Idempotency-Key</code> happens once, however often it is sent within a day; routes that are open to everyone pass it over.</p></section>`;

function section(name: string, routes: readonly KnownRoute[]): string {
  return `<section id="${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2>${routes.map(operation).join('')}</section>`;
}

function operation(route: KnownRoute): string {
  const { method, url, policy } = route;
  const schema = route.schemaOf();
  const parts = [
    shown('Address', schema.params),
    shown('Query', schema.querystring),
    shown('Body', schema.body),
    ...Object.entries((schema.response ?? {}) as Record<string, unknown>)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, one]) => shown(`Answer ${status}`, one)),
  ].join('');
  const summary = `<code class="${method.toLowerCase()}">${method}</code> <code>${escapeHtml(url)}</code> <span>${escapeHtml(OPERATIONS[`${method} ${url}`]?.[1] ?? '')}</span>`;
  return `<details><summary>${summary}</summary><p>${escapeHtml(describePolicy(policy))}</p>${parts}</details>`;
}

function shown(title: string, schema: unknown): string {
  if (schema === undefined) return '';
  return `<h3>${title}</h3><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre>`;
}

function errors(): string {
  const rows = Object.entries(ERROR_CATALOGUE)
    .map(
      ([code, { status, message }]) =>
        `<tr><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(message)}</td></tr>`,
    )
    .join('');
  return `<section id="errors"><h2>Errors</h2><p>Decide by <code>error.code</code>; the message is for people. <code>details.fields</code> names fields, <code>details.retryAfterMs</code> says how long to wait.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Message</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

export const DOCS_STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:62rem;padding:1.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
details{border-top:1px solid #8884;padding:.5rem 0}
summary{cursor:pointer}
summary span{opacity:.8}
pre{overflow-x:auto;background:#8881;padding:.75rem;border-radius:6px;font-size:.85rem}
code{font-size:.9em}
.get,.post,.patch,.delete{font-weight:700;display:inline-block;min-width:4.5em}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .5rem;border-top:1px solid #8884;vertical-align:top}
`;
