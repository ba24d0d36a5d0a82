// The chat in an application of React, the example of that name.

import { builtByVite } from "../examples/framework.js";

builtByVite("React");
