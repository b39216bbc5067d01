import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singleIcons } from './single-icons.ts';

test('each icon comes from its own file, types from nowhere', () => {
  assert.equal(
    singleIcons("import { CircleCheck, type LucideIcon, X } from 'lucide-react';\nimport a from 'a';"),
    "import CircleCheck from 'lucide-react/icons/circle-check'; import X from 'lucide-react/icons/x';\nimport a from 'a';",
  );
  assert.equal(
    singleIcons("import {\n  GitPullRequestArrow,\n  Heading1,\n} from 'lucide-react';"),
    "import GitPullRequestArrow from 'lucide-react/icons/git-pull-request-arrow'; import Heading1 from 'lucide-react/icons/heading-1';",
  );
});
