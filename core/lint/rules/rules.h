#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lint/report.h"
#include "core/lint/rule.h"
#include "core/lint/view.h"

// Every rule, by name; each is defined in the file of that name. core/lint/registry.cpp lists them.
namespace gpuspec::lint::rules {

extern const Rule accelerator_count;
extern const Rule arm_toleration;
extern const Rule bad_quantity;
extern const Rule claim_and_resource;
extern const Rule contradiction;
extern const Rule deprecated_label;
extern const Rule device_path;
extern const Rule driver_capabilities;
extern const Rule duplicate_key;
extern const Rule duplicate_object;
extern const Rule empty_term;
extern const Rule fraction_annotation;
extern const Rule gke_partition_resource;
extern const Rule gke_sharing;
extern const Rule idle_group;
extern const Rule image_tag;
extern const Rule init_container_only;
extern const Rule instance_type;
extern const Rule invalid_affinity;
extern const Rule invalid_resource_name;
extern const Rule invalid_resources;
extern const Rule invalid_selector;
extern const Rule invalid_toleration;
extern const Rule memory_request;
extern const Rule mig_name;
extern const Rule mig_profile;
extern const Rule misplaced_field;
extern const Rule misplaced_resources;
extern const Rule missing_toleration;
extern const Rule misspelled_resource;
extern const Rule mixed_platforms;
extern const Rule node_capacity;
extern const Rule node_label;
extern const Rule node_name;
extern const Rule node_room;
extern const Rule node_taint;
extern const Rule partial_terms;
extern const Rule privileged;
extern const Rule ray_detection;
extern const Rule ray_params;
extern const Rule removed_api;
extern const Rule removed_resource;
extern const Rule request_without_limit;
extern const Rule selector_without_request;
extern const Rule several_containers;
extern const Rule shared_above_one;
extern const Rule shared_memory;
extern const Rule spot_toleration;
extern const Rule toleration_value;
extern const Rule toleration_without_request;
extern const Rule tpu_selector;
extern const Rule tpu_topology;
extern const Rule unequal_request;
extern const Rule unknown_device;
extern const Rule unquoted_value;
extern const Rule unreadable;
extern const Rule visible_devices;
extern const Rule whole_and_partition;
extern const Rule wrong_shape;
extern const Rule zero_quantity;

}  // namespace gpuspec::lint::rules
