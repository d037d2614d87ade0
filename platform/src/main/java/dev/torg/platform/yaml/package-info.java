/// Reads the YAML files of operators strictly: values of the wrong type and unknown keys are errors, and all errors of
/// a file are reported at once.
@NullMarked
package dev.torg.platform.yaml;

import org.jspecify.annotations.NullMarked;
