import { BRAND } from '../brand.ts';
import { escapeHtml } from '../lib/escape-html.ts';
import type { MailWords } from './mail-words.ts';

export interface LaidOutMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Text and HTML of an email. Everything that somebody typed is escaped, and nothing is loaded from anywhere. */
export function layOutMail(words: MailWords): LaidOutMail {
  const { greeting, paragraphs, action, footer } = words;
  const parts = [greeting, ...paragraphs];
  if (action !== null) parts.push(`${action.label}:\n${action.link}`);
  if (footer !== '') parts.push(footer);
  // A name with a line break in it must not become a header.
  return { subject: oneLine(words.subject), text: `${parts.join('\n\n')}\n\n${BRAND.name}\n`, html: layOutHtml(words) };
}

function layOutHtml({ greeting, paragraphs, action, footer }: MailWords): string {
  const body = [greeting, ...paragraphs].map((text) => `<p>${escapeHtml(text)}</p>`);
  if (action !== null) {
    const link = escapeHtml(action.link);
    const style =
      'display:inline-block;padding:10px 18px;background:#1f3d36;color:#ffffff;text-decoration:none;border-radius:6px';
    body.push(`<p><a href="${link}" style="${style}">${escapeHtml(action.label)}</a></p>`);
    body.push(`<p style="font-size:13px;color:#5c635f;word-break:break-all">${link}</p>`);
  }
  if (footer !== '') body.push(`<p style="font-size:13px;color:#5c635f">${escapeHtml(footer)}</p>`);
  const style =
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1b1f1d;max-width:34em;margin:24px auto;padding:0 16px";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head><body><div style="${style}">${body.join('')}<p>${escapeHtml(BRAND.name)}</p></div></body></html>`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
}
