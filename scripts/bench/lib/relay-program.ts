// The least that a durable relay can do, as a process of its own: stores a delivery, answers 200, passes it on. What it takes on a
// machine is what the machine itself takes: `relay-program.ts <database> <target url>`, prints its port.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';

const [file = '', target = ''] = process.argv.slice(2);
const db = new Database(file);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE delivery (id INTEGER PRIMARY KEY, body BLOB NOT NULL)');
const store = db.prepare<[Buffer]>('INSERT INTO delivery (body) VALUES (?)');

const server = createServer(async (incoming, answer) => {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  store.run(body);
  answer.end();
  request(target, { method: 'PUT' }, (reply) => reply.resume()).end(body);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
