import type { RequestFacts } from '../../../connectors/memory/fault-plan.ts';
import { requestRun } from '../../../engine/runs/request-run.ts';
import type { PerSide, Side } from '../../../model/platform.ts';
import { PAIR_ID } from '../../simulator/world.ts';
import { EngineFlow } from '../engine-flow.ts';
import { faultOnce } from '../fault-once.ts';
import type { Ending } from './judge.ts';
import { FAULTS, PAUSES, type Story } from './story.ts';
import { placeSubject } from './subject.ts';

/** Long enough for every fence, retry and look again. */
const REST_MINUTES = 60;

const isWriteOfProducts = ({ isWrite, operation }: RequestFacts) => isWrite && operation !== 'write_webhook';

/** Plays a story with the real engine, jobs and database on two in-memory shops, and tells how it ends once all has come to rest. */
export async function playStory(story: Story): Promise<Ending> {
  const { stock, deletes, buffer, set, steps } = story;
  const flow = new EngineFlow({ stockLinkRule: stock, deletePolicy: deletes, stockBuffer: buffer }, set);
  const subject = placeSubject(flow, story);
  await flow.link();
  for (const { act, side, fault, isTold, pause } of steps) {
    if (act === 'upset') faultOnce(flow.shop(side), isWriteOfProducts, FAULTS[fault]);
    else if (act === 'kill') {
      flow.world.life().kill();
      flow.world.boot();
    } else if (act === 'scan') requestRun(flow.world.life().ctx, { pairId: PAIR_ID, trigger: 'reconcile' });
    else if (act === 'look') await flow.poll(0);
    else subject.do(act, side, isTold);
    await flow.rest(PAUSES[pause]);
  }
  // A delete that nobody told of is believed by the second listing.
  for (let scans = 0; scans < 2; scans += 1) {
    await flow.rest(REST_MINUTES);
    await flow.scan();
  }
  await flow.rest(REST_MINUTES);
  const both = <T>(of: (side: Side) => T): PerSide<T> => ({
    woocommerce: of('woocommerce'),
    shopify: of('shopify'),
  });
  return {
    halves: both((side) => subject.halves(side)),
    away: both((side) => subject.away(side)),
    deeds: subject.deeds(),
    problems: flow.problems(),
    isAsked: flow.conflicts().length > 0,
    status: flow.status(),
  };
}
