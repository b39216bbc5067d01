const MARK = 'missing tools: ';

/** Why a test is skipped on a machine that lacks what it calls; false: nothing is missing. `scripts/check.ts` tells such tests from others by it. */
export function whyMissing(tools: readonly string[], remedy: string): string | false {
  return tools.length > 0 && `${MARK}${tools.join(', ')} (${remedy})`;
}

/** The tools that a test was skipped for; [] where it was skipped for another reason. */
export function missingTools(reason: string): readonly string[] {
  return reason.startsWith(MARK)
    ? reason
        .slice(MARK.length)
        .replace(/ \(.*$/s, '')
        .split(', ')
    : [];
}
