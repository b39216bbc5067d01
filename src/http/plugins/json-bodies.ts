import { AppError } from '../app-error.ts';
import type { Server } from '../types.ts';

/** Nothing that is asked for here is nearly as deep; what reads it later does so level by level, and would run out of stack. */
const DEPTH_MAX = 64;

/** How bodies are read: JSON and nothing else. Clients send its content type with no body when they only mean "do it". */
export function addJsonBodies(server: Server): void {
  // A page of another origin can send plain text without asking; nothing here reads it.
  server.removeContentTypeParser('text/plain');
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, null);
    const text = String(body);
    if (isTooDeep(text)) {
      return done(new AppError('INVALID_JSON', `The body is nested too deeply: at most ${DEPTH_MAX} levels are read.`));
    }
    void parse(request, text, (error, value) => {
      if (error === null) return done(null, value);
      done(new AppError('INVALID_JSON', `The body is not valid JSON${placeOfFault(text)}.`));
    });
  });
}

/** Where the text stops being JSON, as the engine's parser says it. Only the place: its message also quotes what stands there. */
function placeOfFault(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    const place = / at position \d+( \(line \d+ column \d+\))?/.exec(String(error))?.[0];
    return place ?? (/end of JSON input|Unterminated/.test(String(error)) ? ': it ends too early' : '');
  }
  return ': it has a key that is not allowed, "__proto__" or "constructor.prototype"';
}

/** Whether more brackets are open at once than may be; those within texts are letters. What is no JSON is told by the parser. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') isText = !isText;
    else if (isText && sign === '\\') at += 1;
    else if (isText) continue;
    else if (sign === '[' || sign === '{') depth += 1;
    else if (sign === ']' || sign === '}') depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}
