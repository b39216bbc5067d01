// Takes the place of "undici" in the bundle: of the whole library (fetch, WebSocket, caches, mocks) only the agent is used, and what is bundled
// stays in memory. An import of anything else fails the build.
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';

Object.assign(Dispatcher.prototype, api);

export { Agent };
