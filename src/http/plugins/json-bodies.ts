import { AppError } from '../app-error.ts';
import type { Server } from '../types.ts';

/** How bodies are read: JSON and nothing else. Clients send its content type with no body when they only mean "do it". */
export function addJsonBodies(server: Server): void {
  // A page of another origin can send plain text without asking; nothing here reads it.
  server.removeContentTypeParser('text/plain');
  const parse = server.getDefaultJsonParser('error', 'error');
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, null);
    const text = String(body);
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
