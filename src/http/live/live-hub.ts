import type { WebSocket } from 'ws';
import type { SessionPrincipal } from '../../accounts/open-session.ts';
import { sourceOf } from '../../accounts/sources.ts';
import type { AccessTokens } from '../access-token.ts';
import type { HttpDeps } from '../deps.ts';
import { LiveConnection } from './live-connection.ts';

const CONNECTIONS_MAX = 1_000;
const PER_WORKSPACE_MAX = 50;
/** Anybody opens a demo, and all of them together must leave most places to people: a few tabs, and what a connection that broke off still holds. */
const PER_DEMO_MAX = 8;
/** In all workspaces of theirs: a person may have a hundred, and would take the places of everybody. */
const PER_PERSON_MAX = 50;
/** That have not said yet who they are. Strangers from one place must not take the places of everybody. */
const STRANGERS_PER_SOURCE_MAX = 40;

/** All live connections, with their limits. */
export interface LiveHub {
  accept(socket: WebSocket, tokens: AccessTokens, ip: string): void;
  close(): void;
}

export function createLiveHub(deps: HttpDeps): LiveHub {
  /** With the source that each comes from. */
  const connections = new Map<LiveConnection, string>();

  function mayJoin({ user, workspace }: SessionPrincipal): boolean {
    const joined = [...connections.keys()].map(({ principal }) => principal);
    const ofPerson = joined.filter((other) => other?.user.id === user.id).length;
    const ofWorkspace = joined.filter((other) => other?.workspace.id === workspace.id).length;
    return ofPerson < PER_PERSON_MAX && ofWorkspace < (workspace.isDemo ? PER_DEMO_MAX : PER_WORKSPACE_MAX);
  }

  function countStrangers(source: string): number {
    let count = 0;
    for (const [connection, from] of connections) if (connection.principal === null && from === source) count += 1;
    return count;
  }

  return {
    accept(socket, tokens, ip) {
      const connection = new LiveConnection(deps, tokens, socket, mayJoin);
      const source = sourceOf(ip);
      if (connections.size >= CONNECTIONS_MAX || countStrangers(source) >= STRANGERS_PER_SOURCE_MAX) {
        connection.refuse('RATE_LIMITED');
        return;
      }
      connections.set(connection, source);
      socket.on('close', () => connections.delete(connection));
    },
    close() {
      for (const connection of connections.keys()) connection.close();
    },
  };
}
