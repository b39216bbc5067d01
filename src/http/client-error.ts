import type { Socket } from 'node:net';
import { AppError } from './app-error.ts';
import { answerTo, errorReply } from './error-handler.ts';

/** Not imported: an import asks for every name of the module, and one of them makes Node load its own WebSocket client, 5 MB. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** What Node refuses before there is a request (headers too large, too slow, no HTTP), in the one form that all errors have. */
export function createClientErrorHandler(newRequestId: () => string) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const answer = answerTo(new AppError(codeOf(error.code)));
    const body = JSON.stringify(errorReply(answer, newRequestId()));
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n\r\n${body}`,
      );
    }
    socket.destroy(error);
  };
}

function codeOf(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return 'HEADERS_TOO_LARGE';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'REQUEST_TOO_SLOW' : 'BAD_REQUEST';
}
