import type { Story } from './story.ts';

/**
 * The same story without what it doesn't need to end in the same kind of fault: its steps left out, one at a time, for as long as that works.
 * `verdict`: what is wrong with a story; null: nothing.
 */
export async function shrinkStory(
  story: Story,
  fault: string,
  verdict: (story: Story) => Promise<string | null>,
): Promise<{ readonly story: Story; readonly fault: string }> {
  let shortest = { story, fault };
  for (let i = 0; i < shortest.story.steps.length; ) {
    const shorter = { ...shortest.story, steps: shortest.story.steps.toSpliced(i, 1) };
    const found = await verdict(shorter);
    if (found !== null && kindOf(found) === kindOf(fault)) shortest = { story: shorter, fault: found };
    else i += 1;
  }
  return shortest;
}

const kindOf = (fault: string) => fault.split(':')[0];
