import type { WebSocket } from 'ws';
import type { AccessTokens } from '../access-token.ts';
import type { HttpDeps } from '../deps.ts';
import { LiveConnection } from './live-connection.ts';

const CONNECTIONS_MAX = 1_000;
const PER_WORKSPACE_MAX = 50;

/** All live connections, with their limits. */
export interface LiveHub {
  accept(socket: WebSocket, tokens: AccessTokens): void;
  close(): void;
}

export function createLiveHub(deps: HttpDeps): LiveHub {
  const connections = new Set<LiveConnection>();

  function mayJoin(workspaceId: string): boolean {
    let count = 0;
    for (const connection of connections) if (connection.workspaceId === workspaceId) count += 1;
    return count < PER_WORKSPACE_MAX;
  }

  return {
    accept(socket, tokens) {
      const connection = new LiveConnection(deps, tokens, socket, mayJoin);
      if (connections.size >= CONNECTIONS_MAX) {
        connection.refuse('RATE_LIMITED');
        return;
      }
      connections.add(connection);
      socket.on('close', () => connections.delete(connection));
    },
    close() {
      for (const connection of connections) connection.close();
    },
  };
}
