import { Compile } from 'typebox/compile';
import type { WebSocket } from 'ws';
import { authenticate } from '../../accounts/authenticate.ts';
import type { SessionPrincipal } from '../../accounts/open-session.ts';
import type { ErrorCode } from '../../contracts/errors.ts';
import { ERROR_CATALOGUE } from '../../contracts/errors.ts';
import { ClientMessage, LIVE_AUTH_TIMEOUT_MS, LIVE_HEARTBEAT_MS, type ServerMessage } from '../../contracts/live.ts';
import { latestEventSeq, listRecentEvents } from '../../db/readers/events.ts';
import { findWorkspaceStore } from '../../db/readers/list-stores.ts';
import { findMembership } from '../../db/readers/workspaces.ts';
import { isoTime } from '../../lib/time.ts';
import type { WorkspaceId } from '../../model/ids.ts';
import type { AccessTokens } from '../access-token.ts';
import { AppError } from '../app-error.ts';
import type { HttpDeps } from '../deps.ts';
import { identifySession } from '../plugins/authentication.ts';
import { followJournal } from './follow-journal.ts';
import { HealthWatch } from './health-watch.ts';

/** Messages of one client within one heartbeat; more is not a person. */
const MESSAGES_PER_BEAT_MAX = 200;
const SUBSCRIPTIONS_MAX = 200;
const POLICY_VIOLATION = 1008;
const GOING_AWAY = 1001;
/** No refusal: a client that comes again is let in, to the workspace that its session goes on in. */
const LEFT = 'no member of this workspace any more';
const GOODBYE_MS = 1_000;

const isClientMessage = Compile(ClientMessage);

/** One client. It says who it is first; then it is told what happens in its workspace, and nowhere else. */
export class LiveConnection {
  readonly #deps: HttpDeps;
  readonly #tokens: AccessTokens;
  readonly #socket: WebSocket;
  readonly #mayJoin: (principal: SessionPrincipal) => boolean;
  readonly #stop = new AbortController();
  readonly #syncStores = new Set<string>();
  readonly #healthStores = new Set<string>();
  #principal: SessionPrincipal | null = null;
  #health: HealthWatch | null = null;
  #timer: NodeJS.Timeout;
  #isAlive = true;
  #messageCount = 0;

  constructor(
    deps: HttpDeps,
    tokens: AccessTokens,
    socket: WebSocket,
    mayJoin: (principal: SessionPrincipal) => boolean,
  ) {
    this.#deps = deps;
    this.#tokens = tokens;
    this.#socket = socket;
    this.#mayJoin = mayJoin;
    this.#timer = setTimeout(() => this.refuse('UNAUTHORIZED'), LIVE_AUTH_TIMEOUT_MS);
    this.#timer.unref();
    socket.on('message', (data) => this.#onMessage(String(data)));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    socket.on('close', () => this.#end());
    socket.on('error', () => socket.terminate());
  }

  /** Null until it has said who it is. */
  get principal(): SessionPrincipal | null {
    return this.#principal;
  }

  send(message: ServerMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Says why, then closes. */
  refuse(code: ErrorCode): void {
    this.send({ type: 'refused', payload: { code, message: ERROR_CATALOGUE[code].message }, timestamp: this.#now() });
    this.#closeSocket(POLICY_VIOLATION, code);
  }

  close(): void {
    this.#closeSocket(GOING_AWAY, 'the server is stopping');
  }

  terminate(): void {
    this.#end();
    this.#socket.terminate();
  }

  #onMessage(text: string): void {
    this.#isAlive = true;
    this.#messageCount += 1;
    const message = parse(text);
    if (this.#messageCount > MESSAGES_PER_BEAT_MAX) this.refuse('RATE_LIMITED');
    else if (message === null) this.refuse('BAD_REQUEST');
    else if (message.type === 'authenticate') this.#authenticate(message);
    else if (this.#principal === null) this.refuse('UNAUTHORIZED');
    else this.#obey(message, this.#principal);
  }

  #obey(message: ClientMessage, principal: SessionPrincipal): void {
    switch (message.type) {
      case 'heartbeat':
        this.send({ type: 'heartbeat_ack', payload: {}, timestamp: this.#now() });
        return;
      case 'subscribe_sync':
        this.#narrow(this.#syncStores, message.payload?.storeId, principal);
        return;
      case 'subscribe_store_health':
        this.#narrow(this.#healthStores, message.payload?.storeId, principal);
        return;
      default:
        return;
    }
  }

  #authenticate(message: ClientMessage): void {
    if (this.#principal !== null) return;
    const principal = this.#principalOf(message.payload?.accessToken ?? '');
    if (principal !== null) this.#admit(principal, message.payload?.afterSeq ?? null);
  }

  /** Null: the client was refused. */
  #principalOf(token: string): SessionPrincipal | null {
    let code: ErrorCode;
    try {
      const { principal, isElsewhere } = identifySession(this.#deps, this.#tokens, token);
      if (!isElsewhere && this.#mayJoin(principal)) return principal;
      // Whoever renews the token learns which workspace they hear.
      code = isElsewhere ? 'TOKEN_EXPIRED' : 'RATE_LIMITED';
    } catch (error) {
      code = error instanceof AppError ? error.code : 'UNAUTHORIZED';
    }
    this.refuse(code);
    return null;
  }

  #admit(principal: SessionPrincipal, afterSeq: number | null): void {
    this.#principal = principal;
    clearTimeout(this.#timer);
    this.#timer = setInterval(() => this.#beat(), LIVE_HEARTBEAT_MS);
    this.#timer.unref();
    const workspaceId = principal.workspace.id;
    const lastSeq = latestEventSeq(this.#deps.db);
    const quietMs = this.#quietMs(workspaceId);
    this.#health = new HealthWatch(this.#deps, workspaceId);
    this.send({ type: 'ready', payload: { workspaceId, lastSeq, quietMs }, timestamp: this.#now() });
    followJournal({
      deps: this.#deps,
      workspaceId,
      afterSeq: afterSeq ?? lastSeq,
      socket: this.#socket,
      signal: this.#stop.signal,
      send: (message) => this.#tell(message, principal),
      now: () => this.#now(),
    }).catch((error: unknown) => {
      this.#deps.log.error({ error: String(error) }, 'a live connection failed');
      this.terminate();
    });
  }

  /** The session of who was taken out of the workspace goes on elsewhere: what is told here hangs on the membership. */
  #tell(message: ServerMessage, principal: SessionPrincipal): void {
    if (this.#stop.signal.aborted) return;
    this.#health?.note(message);
    if (!this.#belongs(principal)) this.#closeSocket(GOING_AWAY, LEFT);
    else if (this.#isWanted(message)) this.send(message);
  }

  #belongs({ workspace, user }: SessionPrincipal): boolean {
    return findMembership(this.#deps.db, workspace.id, user.id) !== null;
  }

  #quietMs(workspaceId: WorkspaceId): number | null {
    const [newest] = listRecentEvents(this.#deps.db, workspaceId, 1);
    return newest === undefined ? null : Math.max(0, this.#deps.clock.now() - newest.at);
  }

  /** Without a subscription everything of the workspace is sent; with one, of these stores only. */
  #narrow(stores: Set<string>, storeId: string | undefined, principal: SessionPrincipal): void {
    if (storeId === undefined || stores.size >= SUBSCRIPTIONS_MAX) return;
    if (findWorkspaceStore(this.#deps.db, principal.workspace.id, storeId) !== null) stores.add(storeId);
  }

  #isWanted(message: ServerMessage): boolean {
    switch (message.type) {
      case 'sync_status_update':
      case 'sync_completed':
      case 'sync_failed':
        return this.#syncStores.size === 0 || this.#syncStores.has(message.payload.storeId);
      case 'store_health_changed':
        return this.#healthStores.size === 0 || this.#healthStores.has(message.payload.storeId);
      default:
        return true;
    }
  }

  /** A client that said nothing since the last beat is gone; one whose session ended, or who left the workspace, has to go. */
  #beat(): void {
    const principal = this.#principal;
    if (!this.#isAlive || principal === null) {
      this.terminate();
      return;
    }
    if (authenticate(this.#deps.accounts, principal.session.id) === null) {
      this.refuse('SESSION_EXPIRED');
      return;
    }
    if (!this.#belongs(principal)) {
      this.#closeSocket(GOING_AWAY, LEFT);
      return;
    }
    this.#isAlive = false;
    this.#messageCount = 0;
    this.send({ type: 'heartbeat', payload: {}, timestamp: this.#now() });
    this.#socket.ping();
    for (const message of this.#health?.changes() ?? []) this.#tell(message, principal);
  }

  /** A client that does not answer the goodbye is cut off. */
  #closeSocket(code: number, reason: string): void {
    this.#end();
    this.#socket.close(code, reason);
    setTimeout(() => this.#socket.terminate(), GOODBYE_MS).unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  #now(): string {
    return isoTime(this.#deps.clock.now());
  }
}

function parse(text: string): ClientMessage | null {
  try {
    const message: unknown = JSON.parse(text);
    return isClientMessage.Check(message) ? message : null;
  } catch {
    return null;
  }
}
