import { judge } from './judge.ts';
import { playStory } from './play.ts';
import type { Story } from './story.ts';

/** Plays a story and says what is wrong with its end; null: nothing. What the program threw is wrong, too. */
export async function verdictOn(story: Story): Promise<string | null> {
  try {
    return judge(story, await playStory(story));
  } catch (error) {
    return `it broke: ${error instanceof Error ? error.message : String(error)}`;
  }
}
