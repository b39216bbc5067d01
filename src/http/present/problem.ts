import type { Problem } from '../../contracts/problems.ts';
import type { ProblemListRow } from '../../db/readers/list-problems.ts';
import { isoTime } from '../../lib/time.ts';

export function presentProblem({ problem, recordTitle }: ProblemListRow): Problem {
  return {
    _id: problem.id,
    pairId: problem.pairId,
    storeId: problem.storeId,
    recordId: problem.productId,
    recordTitle,
    side: problem.side,
    subject: problem.subject,
    code: problem.code,
    level: problem.level,
    message: problem.message,
    remedy: problem.remedy,
    // What an ambiguous record is found again by says nothing to anybody else.
    details: problem.code === 'AMBIGUOUS_MATCH' ? null : (problem.details ?? null),
    count: problem.count,
    state: problem.state,
    firstAt: isoTime(problem.firstAt),
    lastAt: isoTime(problem.lastAt),
  };
}
