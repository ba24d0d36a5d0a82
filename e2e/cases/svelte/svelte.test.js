// The chat in an application of Svelte, the example of that name.

import { builtByVite } from "../examples/framework.js";

builtByVite("Svelte");
