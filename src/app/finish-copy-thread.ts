import { parentPort, workerData } from 'node:worker_threads';
import { finishCopy } from '../db/backup.ts';

// The program of a thread: see finish-copy-aside.ts.
parentPort?.postMessage(finishCopy(String(workerData)));
