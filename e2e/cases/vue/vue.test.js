// The chat in an application of Vue, the example of that name.

import { builtByVite } from "../examples/framework.js";

builtByVite("Vue");
