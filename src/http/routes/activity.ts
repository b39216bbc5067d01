import { ActivityQuery, ActivityReply } from '../../contracts/activity.ts';
import { latestEventSeq } from '../../db/readers/events.ts';
import { countActivity, listActivity } from '../../db/readers/list-activity.ts';
import { activityNames } from '../activity-names.ts';
import type { HttpDeps } from '../deps.ts';
import { caller } from '../plugins/authentication.ts';
import { presentActivity } from '../present/activity.ts';
import type { Server } from '../types.ts';

export function activityRoutes(server: Server, deps: HttpDeps): void {
  server.get(
    '/api/activity',
    { schema: { querystring: ActivityQuery, response: { 200: ActivityReply } } },
    async (request) => {
      const workspaceId = caller(request).workspace.id;
      // Before the list: what comes between is told twice rather than never.
      const lastSeq = latestEventSeq(deps.db);
      const page = listActivity(deps.db, workspaceId, request.query);
      return {
        activity: page.rows.map((event) => presentActivity(event, activityNames(deps.db, event))),
        filterCounts: countActivity(deps.db, workspaceId, request.query),
        lastSeq,
        nextCursor: page.nextCursor,
      };
    },
  );
}
