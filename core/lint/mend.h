#pragma once

#include "core/kube/toleration.h"
#include "core/lint/finding.h"
#include "core/lint/view.h"

// Fixes that several rules make.
namespace gpuspec::lint {

/// Lets the problem be mended by a toleration {key, operator, effect} added to the pod's; does
/// nothing where the pod can have no list of its own.
void mend_by_toleration(const PodView& pod, const kube::Toleration& toleration,
                        const std::string& rule, Problem& problem);

}  // namespace gpuspec::lint
